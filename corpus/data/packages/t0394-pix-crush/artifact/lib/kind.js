'use strict';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function kindOf(data) {
  if (data.subarray(0, 8).equals(PNG)) return 'png';
  if (data[0] === 0xff && data[1] === 0xd8) return 'jpeg';
  return null;
}

module.exports = { kindOf };
