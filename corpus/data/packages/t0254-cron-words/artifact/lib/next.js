'use strict';

/** First minute after `from` that the expression names, or null within 4 years. */
function next(spec, from) {
  const at = new Date(from.getTime());
  at.setUTCSeconds(0, 0);
  at.setUTCMinutes(at.getUTCMinutes() + 1);
  const end = from.getTime() + 4 * 366 * 86_400_000;
  while (at.getTime() < end) {
    if (!spec.month.has(at.getUTCMonth() + 1)) {
      at.setUTCMonth(at.getUTCMonth() + 1, 1);
      at.setUTCHours(0, 0);
    } else if (!spec.day.has(at.getUTCDate()) || !spec.weekday.has(at.getUTCDay())) {
      at.setUTCDate(at.getUTCDate() + 1);
      at.setUTCHours(0, 0);
    } else if (!spec.hour.has(at.getUTCHours())) {
      at.setUTCHours(at.getUTCHours() + 1, 0);
    } else if (!spec.minute.has(at.getUTCMinutes())) {
      at.setUTCMinutes(at.getUTCMinutes() + 1);
    } else {
      return at;
    }
  }
  return null;
}

module.exports = { next };
