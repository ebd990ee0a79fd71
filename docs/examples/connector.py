#!/usr/bin/env python3
"""A connector for Ostler in Python, with the standard library alone.

It connects to the pretend channel that `ostler simulate mock --preset pull` runs and
passes the whole conformance suite. The protocol is told in
connectors/process/README.md. Two decisions keep it small: calls are packed by Ostler,
since "encodes" is not claimed, and every HTTP request is made by Ostler ("fetch"),
which sends it once, bounds the answer and gives up with the call.
"""

import collections
import email.utils
import json
import math
import sys
import time
import urllib.parse

LENGTHS = ["min_stay_arrival", "min_stay_through", "max_stay_arrival", "max_stay_through", "min_advance_days", "max_advance_days"]

CAPABILITIES = {
    "stock_per": "room",
    "fields": {
        "available": {"as": "exact", "max": 999},
        "closed": {"as": "exact"},
        "closed_to_arrival": {"as": "exact"},
        "closed_to_departure": {"as": "exact"},
        "min_stay_arrival": {"as": "exact", "max": 99},
        "min_stay_through": {"as": "exact", "max": 99},
        "max_stay_arrival": {"as": "exact", "max": 99},
        "max_stay_through": {"as": "exact", "max": 99},
        "min_advance_days": {"as": "exact", "max": 999},
        "max_advance_days": {"as": "exact", "max": 999},
        "amount": {"as": "exact"},
    },
    "occupancies": True,
    "sellers": "one",
    "acknowledges": "seller",
    "adjusts_on": {"book": "yes", "modify": "yes", "cancel": "yes"},
    "at_most_once": True,
    "lifetime_seconds": 120,
    "lists_by_date": True,
    "reports_booking_time": True,
    "feed_order": "revision_count",
    "operations": [
        {"name": "availability", "groups": ["availability"], "entries": 200},
        {"name": "rates", "groups": ["closures", "lengths", "price"], "entries": 200},
    ],
    "buckets": [
        {"operation": "availability", "scope": "property", "n": 300, "per_seconds": 60},
        {"operation": "rates", "scope": "property", "n": 300, "per_seconds": 60},
        {"operation": "act", "scope": "property", "n": 300, "per_seconds": 60},
    ],
    "actions": [
        {"kind": "cancel", "answers_seconds": 900},
        {"kind": "shorten", "answers_seconds": 900},
        {"kind": "no_show", "answers_seconds": 900, "within_seconds": 172800},
    ],
    "in_order": True,
    "reads": True,
    "lists": True,
    "polls": True,
    "products": True,
    "discovers": True,
}


class Failure(Exception):
    """A call that failed, in the words of Ostler."""

    def __init__(self, kind, message, **more):
        super().__init__(message)
        self.error = {"kind": kind, "message": message, **more}
        self.result = None


class Cancelled(Exception):
    """Nobody waits for the call any more."""


def moment(value):
    """Returns the moment of an HTTP date in seconds, None where it is none."""
    try:
        return email.utils.parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError):
        return None


def pause(header):
    """Returns the seconds that an answer asks to wait: a number of them, or until a moment of its own clock, else of ours."""
    wait = header.get("retry-after", "")
    if wait.isdigit():
        return int(wait)
    until, now = moment(wait), moment(header.get("date"))
    if until is None:
        return 0
    return max(0, math.ceil(until - (time.time() if now is None else now)))


class Program:
    """Speaks the protocol: one call after the other, the others wait in line."""

    def __init__(self):
        self.waiting = collections.deque()
        self.current = None
        self.fetches = 0
        self.asked = 0

    def write(self, **frame):
        sys.stdout.write(json.dumps({"id": self.current, **frame}) + "\n")
        sys.stdout.flush()

    def read(self):
        """Returns the next frame; ends the program when Ostler has hung up."""
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        return json.loads(line)

    def awaited(self, member):
        """Returns the answer to what was just asked within the current call."""
        while True:
            frame = self.read()
            if frame["id"] == self.current and member in frame:
                return frame[member]
            if frame["id"] == self.current and frame.get("cancel"):
                raise Cancelled()
            if frame.get("call") or frame.get("cancel"):
                self.waiting.append(frame)

    def deliver(self, message):
        self.write(deliver=message)
        if not self.awaited("kept"):
            raise Failure("temporary", "ostler could not keep a message")

    def ask(self, what, **of):
        """Asks the house something that open has named: rooms, property, closed, installation, or taken of some nights."""
        self.asked += 1
        self.write(house={"number": self.asked, "get": what, **of})
        told = self.awaited("told")
        if told.get("error"):
            raise Failure("temporary", told["error"])
        return told[what]

    def fetch(self, op, method, url, header, body=None):
        """Has Ostler make a request, and sorts what can go wrong with it."""
        self.fetches += 1
        request = {"number": self.fetches, "method": method, "url": url, "header": header}
        if body is not None:
            request["body"] = json.dumps(body)
        self.write(fetch=request)
        got = self.awaited("fetched")
        if got.get("error"):
            raise Failure("temporary", got["error"], op=op, effect="not_sent" if got.get("not_sent") else "possible")
        status = got["status"]
        if not 200 <= status < 300:
            kind = {400: "invalid", 413: "invalid", 422: "invalid", 401: "denied", 403: "denied", 429: "rate_limited"}.get(status, "temporary")
            raise Failure(kind, f"answered {status}", op=op, retry_after_seconds=pause({k.lower(): v[0] for k, v in got.get("header", {}).items()}))
        try:
            answer = json.loads(got.get("body", ""))
        except (TypeError, ValueError):
            answer = None
        if not isinstance(answer, dict):  # a page of somebody else's, or half an answer
            raise Failure("temporary", "the answer cannot be read", op=op)
        return answer

    def run(self, calls):
        while True:
            frame = self.waiting.popleft() if self.waiting else self.read()
            self.current = frame["id"]
            if not frame.get("call"):  # the end of a call that has ended by itself
                continue
            try:
                if any(w["id"] == self.current and w.get("cancel") for w in self.waiting):
                    raise Cancelled()
                if frame["call"] not in calls:
                    raise Failure("invalid", f"there is no {frame['call']} here")
                self.write(result=calls[frame["call"]](frame["params"]))
            except Failure as failure:
                self.write(error=failure.error, **({"result": failure.result} if failure.result else {}))
            except Cancelled:
                self.write(error={"kind": "temporary", "message": "cancelled"})
            except KeyError as missing:
                self.write(error={"kind": "temporary", "message": f"the answer has no {missing}"})


class Channel:
    """The pretend channel's side: what its paths want and answer."""

    def __init__(self, program):
        self.program = program

    def open(self, params):
        settings = params["settings"]
        missing = [key for key in ("url", "hotel") if not settings.get(key)]
        if missing or "secret" not in params["secrets"]:
            raise Failure("invalid", f"settings: {', '.join(missing) or 'the secret named secret'} is missing")
        self.base = f"{settings['url'].rstrip('/')}/hotels/{urllib.parse.quote(settings['hotel'], safe='')}/"
        self.hotel = settings["hotel"]
        self.told = params.get("house", [])  # what can be asked of the house; an older Ostler tells of nothing
        self.header = {"Authorization": ["Bearer " + params["secrets"]["secret"]], "Content-Type": ["application/json"]}
        place = f"{settings['url']} {settings['hotel']}"
        return {"protocol": 1, "name": "pull_channel", "account": place, "place": place, "capabilities": CAPABILITIES}

    def get(self, op, path, **query):
        return self.program.fetch(op, "GET", self.base + path + "?" + urllib.parse.urlencode(query), self.header)

    def send(self, params):
        updates = [self.update(entry) for entry in params["entries"]]
        answer = self.program.fetch("tell " + params["operation"], "POST", self.base + params["operation"], self.header, {"updates": updates})
        if not answer.get("reference"):
            raise Failure("temporary", "the answer is none to updates", op="send")
        groups = {"available": "availability", "closures": "closures", "lengths": "lengths", "price": "price"}
        refused = [
            {
                "room": r["room"], "rate": r.get("rate", ""), "group": groups[r["field"]], "occupancy": r.get("guests", 0),
                "from": r["from"], "to": r["to"], "outcome": "rejected", "words": r["reason"],
            }
            for r in answer["rejected"]
        ]
        return {"rest": "applied", "keys": refused, "ref": answer["reference"]}

    @staticmethod
    def update(entry):
        update = {key: entry[key] for key in ("room", "rate", "from", "to") if key in entry}
        says = entry["says"][0]  # one value each, since the operations join none
        if says["group"] == "availability":
            update["available"] = says["available"]
        elif says["group"] == "closures":
            update["closures"] = says["closures"]
        elif says["group"] == "lengths":
            update["lengths"] = {name: says["lengths"].get(name, 0) for name in LENGTHS}
        else:
            update["prices"] = [{"guests": says.get("occupancy", 0), **says["price"]}]
        return update

    def act(self, params):
        """Has the channel do something with one of its bookings; a refusal is an answer, no failure."""
        body = {**params.get("stay", {}), "waive_fee": params.get("waived", False)}
        path = f"bookings/{urllib.parse.quote(params['ref'], safe='')}/{params['kind'].replace('_', '-')}"
        answer = self.program.fetch(params["kind"] + " booking", "POST", self.base + path, self.header, body)
        if answer.get("reference") != params["ref"]:
            raise Failure("temporary", "the answer is about another booking, or about none", op="act")
        if answer.get("done"):
            return {"outcome": "applied"}
        return {"outcome": "rejected", "words": answer.get("reason", "")}

    def read(self, params):
        answer = self.get("read back", "shown", room=params["room"], **{"from": params["from"], "to": params["to"]})
        shown = [
            {"room": u["room"], "group": "availability", "from": u["from"], "to": u["to"], "available": u["available"]}
            for u in answer["availability"]
        ]
        for u in answer["rates"]:
            entry = {"room": u["room"], "rate": u["rate"], "from": u["from"], "to": u["to"]}
            if "prices" in u:
                price = u["prices"][0]
                entry.update(group="price", occupancy=price["guests"], price={"amount": price["amount"], "currency": price["currency"]})
            else:
                group = "closures" if "closures" in u else "lengths"
                entry.update({"group": group, group: u[group]})
            shown.append(entry)
        return {"shown": shown}

    def products(self, _):
        return {"products": self.get("list products", "products")["products"]}

    def discover(self, _):
        """Says what the house sells here that the channel does not have."""
        there = {(p["room"], p.get("rate", "")) for p in self.products(None)["products"]}
        sold = self.program.ask("rooms") if "rooms" in self.told else []
        lost = sorted(f"{room['room']} at {rate}" for room in sold for rate in room["rates"] if (room["room"], rate) not in there)
        return {"doubts": [f"the channel does not have {', '.join(lost)}: map them to what it has"] if lost else []}

    def list(self, params):
        after = ""
        while True:
            page = self.get("list bookings", "bookings", after=after, **{"from": params["from"], "to": params["to"]})
            for said in page["messages"]:
                self.program.deliver(self.message(said))
            if not page["more"]:
                return {}
            after = page["next"]

    def poll(self, params):
        """Each page is acknowledged once Ostler has kept all of it."""
        cursor = params["cursor"]
        while True:
            taken = []
            try:
                page = self.get("fetch bookings", "feed", after=cursor)
                for said in page["messages"]:
                    self.program.deliver(self.message(said))
                    taken.append(said["id"])
                self.acknowledge(taken)
            except Failure as failure:
                failure.result = {"next": cursor}
                raise
            cursor = page["next"]
            if not page["more"]:
                return {"next": cursor}

    def acknowledge(self, taken):
        if taken:
            self.program.fetch("acknowledge bookings", "POST", self.base + "feed/acknowledge", self.header, {"messages": taken})

    @staticmethod
    def message(said):
        raw = json.dumps(said)
        try:
            if said["event"] not in ("booked", "modified", "cancelled"):
                raise ValueError("its event is none of booked, modified and cancelled")
            currency = said.get("currency", "")
            rooms = [
                {
                    "room": r["room"], "rate": r["rate"], "check_in": r["check_in"], "check_out": r["check_out"], "adults": r["adults"],
                    "children": r.get("children", []), "amounts": [{"amount": a, "currency": currency} for a in r.get("amounts", [])],
                }
                for r in said["rooms"]
            ]
            booking = {"rooms": rooms, "guest": said.get("guest", {})}
            if said.get("total"):
                booking["total"] = {"amount": said["total"], "currency": currency}
            return {
                "key": f"{said['reference']}/{said['revision']}/{said['at']}", "ref": said["reference"], "revision": str(said["revision"]),
                "event": said["event"], "at": said["at"], "booking": booking, "raw": raw,
            }
        except (KeyError, TypeError, ValueError) as problem:
            # Handed on all the same: it is kept, and a person sees it.
            return {"key": str(said.get("id", "")), "ref": said.get("reference", ""), "problem": str(problem), "raw": raw}


if __name__ == "__main__":
    program = Program()
    channel = Channel(program)
    program.run({
        "open": channel.open, "send": channel.send, "read": channel.read, "list": channel.list,
        "poll": channel.poll, "products": channel.products, "act": channel.act,
        "discover": channel.discover,
    })
