CREATE TABLE person (
  name TEXT PRIMARY KEY,
  salt BLOB NOT NULL,
  hash BLOB NOT NULL
);
CREATE TABLE document (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL REFERENCES person (name),
  name TEXT NOT NULL,
  file TEXT NOT NULL,
  tag TEXT NOT NULL
);
