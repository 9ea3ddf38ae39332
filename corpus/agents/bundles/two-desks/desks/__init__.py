"""Reference agent `two-desks`: a bundle of two modules. One reads, the other judges."""
