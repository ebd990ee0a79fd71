// Package app wires the program together: it opens ledgers, starts and stops
// the engine, the API and the listeners in their order, and builds the demo. It
// decides nothing about rooms, prices or channels.
//
// Below is where each idea lives, by names of files without .go; one that ends in _ is of all
// files that begin so.
//
// # An environment, and the daemon around it
//
//   - environment: a ledger with its engine, clock's work and API. schedule: when that work is done.
//     figures: how it stands.
//   - console, notify: its operator's pages; how its people are reached.
//   - daemon: all of it on one data folder, started and stopped in order. cleanup: what a stop undoes.
//   - daemon_health, daemon_manager: what it answers the machine, and what it tells systemd.
//   - daemon_reload, daemon_secrets, daemon_tls: what a reload takes over, secrets and certificates.
//   - daemon_space: a start on a full disk. daemon_folders: other folders that it writes to.
//   - daemon_backup: copies that the daemon takes. daemon_verify: its own ledger verified.
//   - daemon_socket, daemon_peer_: the operators' socket, and who is at its other end.
//   - daemon_users: users of the console, over that socket. daemon_work: long work asked for there.
//
// # Listeners
//
//   - listen, listen_passed: one that we open; those that systemd has opened for us.
//   - front: requests wait until there is an API. crowd: how many connections there may be.
//   - wire, certificate: TLS on a listener, and the certificate files that it shows.
//   - proxies: who has really sent a request. ports: where listeners were last time.
//
// # Work on a data folder without a daemon
//
//   - daemon_init, first_client: the first step of an installation; a client made without a daemon.
//   - build: a ledger made whole or not at all. verify: one checked against its journal.
//   - backup, restore: what the commands do; the daemon's own copies are in daemon_backup.
//   - seal, seal_sandboxes: the keys of secrets in ledgers, and all sealed with a fresh one.
//   - doctor, doctor_: what is wrong with an installation, a file for each thing looked at.
//   - bundle, bom: what whoever helps is given; what the program is built from.
//
// # Sandboxes
//
//   - sandboxes: opens and closes them. sandbox: one of them. sandbox_acts: what partners do to one.
//   - switchboard: calls between a sandbox's engine and its pretend channels, within the process.
//
// # Demo and pretend channels
//
//   - demo, demo_: the program with a sample hotel. sample: that hotel.
//   - simulator: a pretend channel that runs. far_side: one tied to a channel of a ledger.
//   - watcher, status: what somebody who watches is shown.
package app
