'use strict';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
];

const NAMES = {
  en: {
    d: ['day', 'days'],
    h: ['hour', 'hours'],
    m: ['minute', 'minutes'],
    s: ['second', 'seconds'],
    ms: ['millisecond', 'milliseconds'],
  },
  de: {
    d: ['Tag', 'Tage'],
    h: ['Stunde', 'Stunden'],
    m: ['Minute', 'Minuten'],
    s: ['Sekunde', 'Sekunden'],
    ms: ['Millisekunde', 'Millisekunden'],
  },
};

function names(locale) {
  return NAMES[String(locale).slice(0, 2)] || NAMES.en;
}

module.exports = { UNITS, names };
