'use strict';

class Bucket {
  constructor(rate, burst, now) {
    if (!(rate > 0)) throw new RangeError(`rate must be positive, got ${rate}`);
    this.rate = rate;
    this.burst = Math.max(1, burst);
    this.now = now;
    this.level = this.burst;
    this.at = now();
  }

  refill() {
    const t = this.now();
    this.level = Math.min(this.burst, this.level + ((t - this.at) / 1000) * this.rate);
    this.at = t;
  }

  /** Take `n` tokens; returns the milliseconds to wait before acting. */
  take(n) {
    this.refill();
    this.level -= n;
    return this.level >= 0 ? 0 : Math.ceil((-this.level / this.rate) * 1000);
  }
}

module.exports = Bucket;
