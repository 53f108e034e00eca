"""Who rings wakes those alone who listen to it."""

import asyncio
from uuid import UUID

from api.http.bells import Bells, Kept
from projections.platform.rings import Advanced, Appended


class CountedBells(Bells):
    """Counts how often the loop was woken for a ring."""

    wakes = 0

    def _pass_on(self, ring: Kept | None) -> None:
        self.wakes += 1
        super()._pass_on(ring)


def test_a_ring_wakes_the_loop_only_where_somebody_listens_to_it() -> None:
    listened, other = UUID(int=1), UUID(int=2)
    unheard = (Appended(1, {other: 1}), Advanced({"lobby": 1}, (str(other),)), Advanced({"boards": 1}, ()))
    heard = (Appended(2, {other: 2, listened: 1}), Advanced({"lobby": 2}, (str(listened),)), None)

    async def story() -> None:
        bells = CountedBells(asyncio.get_running_loop())
        with bells.listening(listened, ("lobby", str(listened))):
            for ring in (*unheard, *heard, Appended(3, {}, is_cut=True)):
                bells.hear(ring)
            await asyncio.sleep(0)
        assert bells.wakes == 4

    asyncio.run(story())
