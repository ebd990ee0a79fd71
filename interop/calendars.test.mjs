// What we publish for sites that know nothing but calendars, read by a library of others: it
// finds the same nights, the last one being that before the departure.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import ICAL from 'ical.js'

const text = readFileSync(process.env.OSTLER_FEED, 'utf8')
const want = [
  'double-1-1@ch_1.ostler 2027-01-05 2027-01-08',
  'double-1-2@ch_1.ostler 2028-02-28 2028-03-01',
]

test('ical.js reads the nights', () => {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const got = calendar.getAllSubcomponents('vevent').map((of) => {
    const event = new ICAL.Event(of)
    assert.ok(event.startDate.isDate && event.endDate.isDate, 'a night is a date and no instant')
    return `${event.uid} ${event.startDate} ${event.endDate}`
  })
  assert.deepEqual(got, want)
})
