// The result of a table for each of its entries, by the two rules of standings (docs/specifications/standings.md).

const MILLION = 1_000_000;

// The lead of each score over the best other one; 0 without others.
const leadsOf = (scores) => scores.map((own, seat) => (scores.length > 1 ? own - Math.max(...scores.toSpliced(seat, 1)) : 0));

// Returns the points of each seat, in sixtieths; points for places use the first of these sizes that the plan lists.
function brought({ measure = "points", points = [] }, sizes, ranking, scores) {
  const list = sizes.map((size) => points.findLast((each) => each.size === size)?.points).find(Boolean), [size] = sizes, leads = leadsOf(scores);
  const ofPlace = (place) => (list ? list[place - 1] ?? 0 : Math.max(0, Math.floor((720 * (size - place)) / (size - 1))));
  return ranking.map((place, seat) => {
    const shared = ranking.filter((each) => each === place).length;
    if (measure === "victory_points") return 60 * scores[seat];
    if (measure === "margin") return 60 * leads[seat];
    if (measure === "wins") return place === 1 ? Math.floor(60 / shared) : 0;
    return Math.floor(Array.from({ length: shared }, (_, i) => ofPlace(place + i)).reduce((sum, each) => sum + each) / shared);
  });
}

// The rows of seats that are compared with each other. `opponents` are the other entries, and `share` is that of the best score, in millionths.
function rowsAmong(entries, ranking, scores, points) {
  const best = Math.max(...scores), leads = leadsOf(scores), shareOf = (score) => (best > 0 ? Math.floor((Math.max(0, score) * MILLION) / best) : 0);
  return entries.map((entry, seat) => ({
    points: points[seat], place: ranking[seat], isAbsent: false, seat, size: entries.length,
    score: scores[seat], share: shareOf(scores[seat]), margin: leads[seat], opponents: entries.filter((other) => other !== entry),
  }));
}

const placesOf = (values) => values.map((own) => 1 + values.filter((other) => other < own).length);

// Ranks the seats that gave up behind the others, the first of them last; keeps the log's ranking if no seat was handed over.
export function placed({ ranking, gaveUp = [], handedOver = [] }) {
  if (!handedOver.length) return ranking;
  return placesOf(ranking.map((place, seat) => (gaveUp.includes(seat) ? 2 * ranking.length - gaveUp.indexOf(seat) : place)));
}

// Rule 1: an entry whose seat a bot plays earns no points, but everything else that its bot achieves.
function rowsOfAll(scoring, { entries, byHand, result, absent }) {
  const { ranking, scores } = result, earned = brought(scoring, [entries.length], ranking, scores);
  return rowsAmong(entries, ranking, scores, entries.map((entry, seat) => (!byHand && absent.get(entry) ? 0 : earned[seat])));
}

// Rule 2: the table counts for the players present. Absent entries are last; they and entries that handed over score nothing.
function rowsOfPresent(scoring, { entries, byHand, result, absent }) {
  const isMissing = (entry, seat) => (byHand ? byHand.isOfDeadline && absent.has(entry) : Boolean(absent.get(entry)) || result.noShows.includes(seat));
  const present = entries.flatMap((entry, seat) => (isMissing(entry, seat) ? [] : [seat])), all = placed(result);
  const isPlayed = (seat) => present.includes(seat) && !result.handedOver?.includes(seat);
  const nothing = Math.min(0, ...result.scores.filter((_, seat) => isPlayed(seat)));
  const scores = present.map((seat) => (isPlayed(seat) ? result.scores[seat] : nothing)), places = placesOf(present.map((seat) => all[seat]));
  const earned = brought(scoring, present.length > 1 ? [present.length, entries.length] : [entries.length], places, scores);
  const rows = rowsAmong(present.map((seat) => entries[seat]), places, scores, earned);
  const margin = present.length ? Math.min(0, nothing - Math.max(...scores)) : 0, points = 60 * ({ margin, victory_points: nothing }[scoring.measure] ?? 0);
  const behind = (seat) => ({ points, place: entries.length, isAbsent: true, seat, size: entries.length, score: nothing, share: 0, margin, opponents: [] });
  return entries.map((_, seat) => rows[present.indexOf(seat)] ?? behind(seat));
}

export const rowsOf = (scoring, rule, table) => (rule === 1 ? rowsOfAll : rowsOfPresent)(scoring, table);
