"""External decks and component files: validation, names, and matches played with them."""

import ast
import re
from importlib import resources
from pathlib import Path

import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.component_data import DataFault
from domain.kernel.messages import say
from domain.kernel.rules import MissingComponents, Options, UnknownOption
from domain.matches import data_files
from domain.titles import la_granja
from domain.titles.el_grande.title import EL_GRANDE
from domain.titles.la_granja import boxes, components
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.boxes import BOXES, COMPONENT_REGISTRY, DECK_REGISTRY, DECKS
from domain.titles.la_granja.components_checks import COMMODITY_OPTIONS, REVENUE_OPTIONS
from domain.titles.la_granja.helper_params import OPTIONAL_PARAMS, REQUIRED_PARAMS
from domain.titles.la_granja.helpers import HELPERS
from domain.titles.la_granja.title import LA_GRANJA
from tests.domain.titles.la_granja.table import random_choices

DATA = resources.files("domain.titles.la_granja.data")
DECK = (DATA / "farm_cards.toml").read_text(encoding="utf-8")
COMPONENTS = (DATA / "components.toml").read_text(encoding="utf-8")
RULES = Path(la_granja.__file__).parent
READ = (
    "domain.titles.la_granja.cards",
    "domain.titles.la_granja.components",
    "domain.titles.la_granja.components_market",
)


def replace_texts(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def without_meta(text: str) -> str:
    """Return the deck without its `meta` and `vocabulary` tables."""
    return text[text.index("[[cards]]") :]


def play_match(options: Options) -> la_granja.State:
    """Play a random match of two and return its final state."""
    chance, state = SeededChance(bytes(32)), None
    seat_of, action_of = random_choices(3)
    effects = la_granja.start(options, 2, chance)
    while True:
        for effect in effects:
            state = la_granja.evolve(state, effect)
        assert state is not None
        if not la_granja.seats_to_act(state):
            return state
        seat = seat_of(state)
        action = action_of(state, seat, la_granja.legal_actions(state, seat))
        effects = la_granja.decide(state, seat, action, chance)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("buy = 5", "buy = -5", "resources pig: key `buy`: -5 is below 0"),
        ("vp = [0, 0, 1, 2, 3]", "vp = [0, 0, 1, -2, 3]", "siesta_track: key `vp[3]`: -2 is below 0"),
        ("vp = [0, 0, 1, 2, 3]", "vp = [0, 1, 2, 3]", "key `vp`: expected 5 spaces, last 4, and 5 values"),
        ("amount = 3 }", "amount = -3 }", "craft_buildings 1: key `instant.amount`: -3 is below 0"),
        ("rounds = 6", "rounds = 7", "meta: key `rounds`: a match has 6 rounds, not 7"),
        ('id = "pig"\nbuy', 'id = "cow"\nbuy', "resources cow: key `id`: Invalid enum value 'cow'"),
        ("\n4 = 9", "\n4 = 10", "setup: key `dice`: expected {1: 5, 2: 5, 3: 7, 4: 9}, two per"),
        ("hand_cards = 4", "hand_cards = 40", "setup: key `hand_cards`: 40 is above 8"),
        ("building_order_tiles = 3", "building_order_tiles = 7", "`building_order_tiles`: 7 is above 6"),
        ("3 = [2, 3, 4]", "3 = [2, 3, 9]", "setup: key `start_stalls.3`: expected 3 different start spaces"),
        ("turn_order_markers = [2, 3]", "turn_order_markers = [2, 4]", "expected the start spaces [2, 3], not [2, 4]"),
        ("roof_spaces = 5", "roof_spaces = 6", "player_board: key `roof_vp`: expected 6, not 5"),
        ("silver_per_vp_at_end = 5", "silver_per_vp_at_end = 0", "key `silver_per_vp_at_end`: 0 is below 1"),
        ("donkeys = 1\nhats", "donkeys = 0\nhats", "donkey_tiles: key `donkeys`: 0 is below 1"),
        ("reset_round = 4", "reset_round = 6", "donkey_tiles: expected at least 5 tiles, found 4"),
        ("die = 6", "die = 7", "revenue_spaces: key `die`: expected 1, 2, 3, 4, 5, 6, found 1, 2, 3, 4, 5, 7"),
        ('"silver_4"]\nnote', '"silver_9"]\nnote', "revenue_spaces 4: key `options`: `silver_9` is not one of"),
        ('options = ["silver_4", "two', 'options = ["gold", "two', "trade_commodity: key `options`: `gold` is not one"),
        ("number = 6", "number = 7", "craft_buildings: key `number`: expected 1, 2, 3, 4, 5, 6, found"),
        ('kind = "income_silver"', 'kind = "tax"', "key `permanent.kind`: `tax` is not one of"),
        ('effect = "silver_4"', 'effect = "gold"', "roof_tiles D11: key `effect`: unknown roof effect `gold`"),
        ('"D11"\nedition = "deluxe"\nround = 1', '"D11"\nedition = "deluxe"\nround = 2', "tiles of round 1, found 3"),
        ("[editions.bga]", "[editions.new]", "key `editions`: expected bga, deluxe, original, yucata"),
        ("players = [2, 4]", "players = [2, 5]", "edition yucata: key `players`: 2 to 5 is not a range within 1 to 4"),
        ('2 = "small"', '2 = "tiny"', "edition deluxe: key `market.2`: unknown board `tiny`"),
        ("[player_board]", "[board]", "x.toml: the key `player_board` is missing"),
        ('kind = "flip_roof"', 'kind = "fly"', "key `kind`: `fly` is not one of"),
        ("[meta]", "[other]", "x.toml: the key `meta` is missing"),
        ("unlock_vp = 1", "unlock_vp = -1", "craft_rules: key `unlock_vp`: -1 is below 0"),
        ("unlock_vp = 1", "", "x.toml, craft_rules: the key `unlock_vp` is missing"),
        ("building_order_vp = 1", "building_order_vp = 2", "`building_order_vp`: expected 1, not 2"),
        ("deliverable = true", "deliverable = false", "key `deliverable`: expected True, not False"),
        ("removes = false", "removes = true", "market_marker: key `params`: expected (0, False)"),
        ("steps = 2, maximum = 6", "steps = 2, maximum = 5", "die_2: key `params`: expected (1, 6)"),
        ('purchase = "one_by_one"', 'purchase = "all_at_once"', "key `extra_delivery_purchase`: expected"),
        ("high = [4, 5, 6]", "high = [4, 5]", "solo: key `discard_rounds_high`: expected (4, 5, 6)"),
        ("reset_round = 4", 'reset_round = "late"', "donkey_rules: key `reset_round`: Expected `int`, got `str`"),
    ],
)  # fmt: skip
def test_an_inconsistent_component_file_is_refused(old: str, new: str, sentence: str) -> None:
    with pytest.raises(DataFault) as refusal:
        COMPONENT_REGISTRY.add(replace_texts(COMPONENTS, (old, new)), "x.toml")

    assert str(refusal.value).startswith("x.toml")
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_setup_that_is_not_a_table_is_refused() -> None:
    with pytest.raises(DataFault, match=r"x\.toml, setup: expected a table, not 3"):
        components.load_components({"meta": {"rounds": 6}, "setup": 3}, "x.toml")
    with pytest.raises(DataFault, match=r"x\.toml, setup: key `dice`: Expected `object`, got `int`"):
        COMPONENT_REGISTRY.add(replace_texts(COMPONENTS, ("\n[setup.dice]", "\ndice = 3\n[extra]")), "x.toml")


def test_a_row_of_a_building_must_not_be_empty() -> None:
    row = re.search(r"\nrow = \[[^\]]*\]", COMPONENTS)
    assert row is not None

    with pytest.raises(DataFault, match="craft_buildings 1: key `row`: expected at least one good, found none"):
        COMPONENT_REGISTRY.add(COMPONENTS.replace(row[0], "\nrow = []", 1), "x.toml")


def test_a_deck_may_lack_meta_and_vocabulary() -> None:
    """Totals and vocabulary are optional, but every deck has 66 cards."""
    name = DECK_REGISTRY.add(without_meta(DECK), "Bare Deck.toml")

    stem, _, digest = name.partition("@")
    assert stem == "bare_deck"
    assert DECK_REGISTRY.get(name).digest.startswith(digest)
    assert DECK_REGISTRY.get(name).digest == DECK_REGISTRY.get("standard").digest, "the same cards"
    assert name in la_granja.choices()["deck"]
    assert la_granja.choices()["deck"][0] == "standard"


def test_names_depend_on_the_content_of_a_file() -> None:
    one = DECK_REGISTRY.add(DECK, "deck.toml")
    other = DECK_REGISTRY.add(replace_texts(DECK, ('name = "Chef"', 'name = "Cook"')), "deck.toml")

    assert DECK_REGISTRY.add(DECK, "deck.toml") == one
    assert one != other
    assert boxes.digest_of_box(one, "standard") == la_granja.data_digest(la_granja.options({}))
    assert boxes.digest_of_box(other, "standard") != boxes.digest_of_box(one, "standard")
    assert DECK_REGISTRY.add(DECK, "...toml").startswith("deck@"), "a file without a word for a name"


def test_missing_files_are_reported_by_name_and_digest() -> None:
    with pytest.raises(MissingComponents, match=r"deck 'feast' whose digest begins with 00ff is needed, .* standard"):
        la_granja.options({"deck": "feast@00ff"})
    with pytest.raises(MissingComponents, match=r"component file 'old' is needed"):
        la_granja.options({"components": "old"})
    with pytest.raises(UnknownOption, match=r"'cards'; it has components, deck, edition"):
        la_granja.options({"cards": "standard"})
    with pytest.raises(MissingComponents):
        BOXES["feast@00ff"]


def test_a_match_uses_the_cards_and_prices_of_its_box() -> None:
    """In the whole match and its view, card numbers start at 101 and pigs cost 7."""
    renumbered = re.sub(r"\nnumber = (\d+)", lambda found: f"\nnumber = {100 + int(found[1])}", without_meta(DECK))
    deck = DECK_REGISTRY.add(renumbered, "hundreds.toml")
    dear = COMPONENT_REGISTRY.add(replace_texts(COMPONENTS, ("buy = 5", "buy = 7")), "dear.toml")
    options = la_granja.options({"deck": deck, "components": dear})

    state = play_match(options)

    assert state.deck == f"{deck}+{dear}"
    assert la_granja.ranking(state) is not None
    view = la_granja.view(state, None)
    assert {price.resource: price.buy for price in view.farms[0].prices}["pig"] >= 6
    assert min(card for farm in view.farms for card in (*(field.card for field in farm.fields), *view.discard)) > 100
    assert tuple(DECKS[state.deck]) == tuple(range(101, 167))


def test_a_changed_roof_tile_is_described_by_its_file() -> None:
    """Only an effect equal to the package's has translated words."""
    rich = replace_texts(
        COMPONENTS,
        ("params = { amount = 4 }", "params = { amount = 9 }"),
        ('text = "take the silver"', 'text = "a purse"'),
    )
    box = boxes.box_name("standard", COMPONENT_REGISTRY.add(rich, "rich.toml"))

    assert say(terms.roof("D11", "standard")) == "4 silver"
    assert say(terms.roof("D11", box)) == "a purse"
    assert say(terms.roof("D12", box)) == "2 different crops"


def test_every_kind_of_helper_has_params_and_rules() -> None:
    assert REQUIRED_PARAMS.keys() == HELPERS.keys()
    assert OPTIONAL_PARAMS.keys() <= REQUIRED_PARAMS.keys()


def test_the_allowed_options_are_those_the_package_uses() -> None:
    """Options that no file uses would be untested."""
    spaces = components.REVENUE_SPACES.values()

    assert {option for space in spaces for option in space.options} == REVENUE_OPTIONS
    assert set(components.STANDARD.commodity.options) == COMMODITY_OPTIONS


def test_rules_access_components_through_the_state() -> None:
    """The constants of the package's files are for texts, pages and tests; a match may use other files."""
    constants = {
        node.target.id
        for node in ast.parse((RULES / "components.py").read_text()).body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and "STANDARD" in ast.unparse(node)
    } | {"CARDS", "CARD_NUMBERS", "MARKETS", "market_of"}
    rules = (*RULES.glob("phases/*.py"), *RULES.glob("helpers/[a-z]*.py"), *RULES.glob("evolve/*.py"))
    named = (
        "decide",
        "turns",
        "scoring",
        "holdings",
        "delivering",
        "adjustments",
        "editions",
        "imagine",
        "view",
        "state",
    )

    for path in (*rules, *(RULES / f"{name}.py" for name in named)):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module in READ:
                imported = {alias.name for alias in node.names} & constants
                assert not imported, f"{path.name} reads {imported} of the package's own files"


def test_a_title_without_external_files_refuses_them(tmp_path: Path) -> None:
    with pytest.raises(DataFault, match="el_grande does not support deck files"):
        data_files.register_file(EL_GRANDE, "deck", tmp_path / "deck.toml")


def test_files_in_the_data_folder_are_installed(tmp_path: Path) -> None:
    assert data_files.register_data_folder(tmp_path) == ()
    for option, text in (("components", COMPONENTS), ("deck", DECK)):
        folder = tmp_path / "la_granja" / option
        folder.mkdir(parents=True)
        (folder / "mine.toml").write_text(text, encoding="utf-8")

    installed = data_files.register_data_folder(tmp_path)

    assert [each.partition("@")[0] for each in installed] == ["components=mine", "deck=mine"]
    for name in installed:
        option, _, asked = name.partition("=")
        own, *others = data_files.list_option_values(LA_GRANJA)[option]
        assert asked != own
        assert asked in others
    assert data_files.list_option_values(EL_GRANDE) == {}


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    with pytest.raises(DataFault, match=r"cannot read .*deck\.toml: No such file"):
        data_files.register_file(LA_GRANJA, "deck", path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(DataFault, match=r"deck\.toml is not UTF-8 text"):
        data_files.register_file(LA_GRANJA, "deck", path)
