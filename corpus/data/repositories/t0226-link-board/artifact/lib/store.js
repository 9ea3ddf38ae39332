'use strict';

const fs = require('fs');
const path = require('path');

const FILE = path.join(__dirname, '..', 'board.json');

let data = { users: [], links: [], resets: [], invites: [] };
if (fs.existsSync(FILE)) data = JSON.parse(fs.readFileSync(FILE, 'utf8'));

function save() {
  const next = FILE + '.new';
  fs.writeFileSync(next, JSON.stringify(data), { mode: 0o600 });
  fs.renameSync(next, FILE);
}

module.exports = {
  user: (name) => data.users.find((u) => u.name === name),
  links: () => [...data.links].sort((a, b) => b.votes - a.votes),
  addLink({ url, title, by }) {
    const link = { id: data.links.length + 1, url, title, by, votes: 0 };
    data.links.push(link);
    save();
    return link;
  },
  saveReset(name, token, until) {
    data.resets.push({ name, token, until });
    save();
  },
  saveInvite(code, by) {
    data.invites.push({ code, by });
    save();
  },
};
