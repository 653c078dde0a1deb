import type { ExtractedText, OmissionCounter, TextCollector } from './extracted-text.ts'
import { listPairs } from './list-pairs.ts'
import { readDecoded } from './read-text.ts'

// Contacts (vCard, RFC 6350) and calendars (iCalendar, RFC 5545) consist of the same lines: NAME;PARAMETER=VALUE:VALUE

interface ContentLine {
  name: string
  group: string
  parameters: ReadonlyMap<string, string>
  value: string
}

const maxLines = 300_000

/**
 * Joins the lines of a quoted-printable value. The next line belongs to it with its white space (RFC 2045, 6.7); programs that fold all lines
 * write a blank before it that does not.
 * @param lines without the sign at their ends
 */
function joinQuoted(lines: readonly string[]): string {
  const [first = '', ...rest] = lines
  const exact = lines.join('')
  const folded = [first, ...rest.map((line) => line.replace(/^[ \t]/, ''))].join('')
  const isDamaged = (line: string) => decodeQuoted(line.slice(line.indexOf(':') + 1), '').includes('\ufffd')
  const isFolded =
    rest.some((line) => line.startsWith('\t')) ||
    (rest.length > 1 && rest.every((line) => line.startsWith(' '))) ||
    (exact !== folded && isDamaged(exact) && !isDamaged(folded))
  return isFolded ? folded : exact
}

function* joinLines(text: string): Generator<string> {
  let parts: string[] = []
  let quoted: string[] = []
  let isQuoted = false
  for (const line of text.split(/\r\n?|\n/)) {
    const last = parts.at(-1) ?? ''
    if (isQuoted && (quoted.at(-1) ?? last).endsWith('=')) {
      if (quoted.length === 0) quoted = [parts.pop() ?? '']
      quoted.push(`${(quoted.pop() ?? '').slice(0, -1)}`, line)
      continue
    }
    if (quoted.length > 0) parts.push(joinQuoted(quoted))
    quoted = []
    if (parts.length > 0 && /^[ \t]/.test(line)) parts.push(line.slice(1))
    else {
      if (parts.length > 0) yield parts.join('')
      parts = [line]
      isQuoted = /^[^:]{0,500}QUOTED-PRINTABLE/i.test(line)
    }
  }
  if (quoted.length > 0) parts.push(joinQuoted(quoted))
  if (parts.length > 0) yield parts.join('')
}

function parseLine(line: string): ContentLine | undefined {
  // a colon may stand within quotes
  let isQuoted = false
  let colon = -1
  const cuts: number[] = []
  for (let at = 0; at < line.length && colon < 0 && at < 10_000; at += 1) {
    const character = line[at]
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === ';') cuts.push(at)
    else if (!isQuoted && character === ':') colon = at
  }
  if (colon < 0) return undefined
  const pieces = [-1, ...cuts].map((cut, index) => line.slice(cut + 1, cuts[index] ?? colon))
  const [full = '', ...rest] = pieces
  const dot = full.lastIndexOf('.')
  const parameters = new Map<string, string>()
  for (const piece of rest) {
    const equals = piece.indexOf('=')
    const key = equals < 0 ? 'TYPE' : piece.slice(0, equals).toUpperCase()
    const value = (equals < 0 ? piece : piece.slice(equals + 1)).replaceAll('"', '')
    const isEncoding = equals < 0 && /^(?:quoted-printable|base64)$/i.test(value)
    const name = isEncoding ? 'ENCODING' : key
    const known = parameters.get(name)
    if (known === undefined) parameters.set(name, value)
    // Thunderbird names the encoding once for each part of the value
    else if (!/^(?:ENCODING|CHARSET)$/.test(name)) parameters.set(name, `${known},${value}`)
  }
  return {
    name: full
      .slice(dot + 1)
      .toUpperCase()
      .trim(),
    group: full.slice(0, Math.max(0, dot)),
    parameters,
    value: line.slice(colon + 1),
  }
}

function decodeQuoted(value: string, charset: string): string {
  const bytes: number[] = []
  const encoder = new TextEncoder()
  for (let at = 0; at < value.length; at += 1) {
    const code = value[at] === '=' ? Number.parseInt(value.slice(at + 1, at + 3), 16) : Number.NaN
    if (Number.isNaN(code)) bytes.push(...encoder.encode(value[at] ?? ''))
    else {
      bytes.push(code)
      at += 2
    }
  }
  try {
    return new TextDecoder(charset || 'utf-8').decode(Uint8Array.from(bytes))
  } catch {
    return new TextDecoder().decode(Uint8Array.from(bytes))
  }
}

const unescape = (value: string) =>
  value.replaceAll(/\\([nN,;:\\])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character))

const splitValue = (value: string) =>
  value
    .split(/(?<!\\);/)
    .map((part) => unescape(part).trim())
    .filter((part) => part !== '')

const isBinary = ({ parameters, value }: ContentLine) =>
  /^(?:b|base64)$/i.test(parameters.get('ENCODING') ?? '') || /^data:[\w/+.-]{0,100};base64,/i.test(value)

/** The text of a value; undefined if it consists of bytes, which are counted. */
function readValue(line: ContentLine, omissions: OmissionCounter): string | undefined {
  if (isBinary(line)) {
    omissions.add(
      /^(?:PHOTO|LOGO|IMAGE)$/.test(line.name) ? 'pictures' : line.name === 'SOUND' ? 'media' : 'attachments',
    )
    return undefined
  }
  const isQuoted = /^quoted-printable$/i.test(line.parameters.get('ENCODING') ?? '')
  return isQuoted ? decodeQuoted(line.value, line.parameters.get('CHARSET') ?? '') : line.value
}

const toLine = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' / ')

const readLines = (
  bytes: Uint8Array,
  write: (lines: readonly ContentLine[], text: TextCollector, omissions: OmissionCounter) => void,
): Promise<ExtractedText> =>
  readDecoded(bytes, (content, text, omissions) => {
    const lines: ContentLine[] = []
    for (const line of joinLines(content)) {
      if (line.trim() === '') continue
      const parsed = lines.length < maxLines ? parseLine(line) : undefined
      if (parsed) lines.push(parsed)
      else omissions.add('parts')
    }
    write(lines, text, omissions)
  })

/** What only programs need. */
const technical =
  /^(?:ACTION|BEGIN|END|VERSION|PRODID|REV|UID|CALSCALE|SEQUENCE|DTSTAMP|CLASS|TRANSP|X-ABLABEL|X-ABUID|X-MICROSOFT-.*|X-MOZ-.*|X-APPLE-.*|X-WR-RELCALID|CLIENTPIDMAP|X-ABSHOWAS)$/

const contactNames = new Map(
  listPairs(
    'FN:Name|N:Full name|TEL:Phone|EMAIL:E-mail|ADR:Address|ORG:Organisation|BDAY:Birthday|URL:Web|TITLE:Job title|NOTE:Note|NICKNAME:Nickname',
    '|',
  ),
)

export const readContacts = (bytes: Uint8Array): Promise<ExtractedText> =>
  readLines(bytes, (lines, text, omissions) => {
    let number = 0
    for (const [index, line] of lines.entries()) {
      if (line.name === 'BEGIN' && /^vcard$/i.test(line.value.trim())) {
        number += 1
        text.add(`${number > 1 ? '\n\n' : ''}Contact ${number}`)
      }
      if (technical.test(line.name)) continue
      const value = readValue(line, omissions)
      if (value === undefined) continue
      // the names of fields that a user has named stand beside them
      const label =
        line.group === ''
          ? undefined
          : lines
              .slice(index + 1, index + 4)
              .find(({ name, group }) => name === 'X-ABLABEL' && group === line.group)
      const kinds = label
        ? label.value.replace(/^_\$!<(.{0,100})>!\$_$/, '$1')
        : (line.parameters.get('TYPE') ?? '').toLowerCase()
      const shown = toLine(splitValue(value).join(', '))
      const name = contactNames.get(line.name) ?? line.name
      if (shown !== '')
        text.add(`\n${name}${kinds === '' ? '' : ` (${kinds.replaceAll(',', ', ')})`}: ${shown}`)
    }
  })

const calendarNames = new Map(
  listPairs(
    'SUMMARY:Title|DTSTART:Start|DTEND:End|DUE:Due|DURATION:Duration|LOCATION:Place|DESCRIPTION:Description|ORGANIZER:Organizer|ATTENDEE:Attendee|RRULE:Repeats|EXDATE:Not on|RDATE:Also on|RECURRENCE-ID:Instead of|STATUS:Status|TRIGGER:Reminder|URL:Web|CATEGORIES:Categories|ATTACH:Attached|METHOD:Method|X-WR-CALNAME:Calendar|X-WR-TIMEZONE:Time zone',
    '|',
  ),
)
const componentNames = new Map(
  listPairs(
    'VEVENT:Event|VTODO:Task|VJOURNAL:Journal entry|VFREEBUSY:Free and busy times|VALARM:Reminder',
    '|',
  ),
)

/** Writes '20260401T003000' as '2026-04-01 00:30', with its zone. */
function formatMoment(value: string, zone: string | undefined): string {
  const shown = value.replaceAll(
    /\b(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?\b/g,
    (_, year: string, month: string, day: string, hour?: string, minute = '', second = '', utc = '') =>
      `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}${second === '00' ? '' : `:${second}`}${utc === '' ? '' : ' UTC'}`}`,
  )
  return zone === undefined || zone === '' ? shown : `${shown} (${zone})`
}

function formatCalendarValue({ name, parameters }: ContentLine, value: string): string {
  const moment =
    /^(?:DTSTART|DTEND|DUE|EXDATE|RDATE|RECURRENCE-ID|CREATED|LAST-MODIFIED|COMPLETED|FREEBUSY|RRULE|TRIGGER)$/
  if (moment.test(name)) return formatMoment(value, parameters.get('TZID'))
  if (name !== 'ATTENDEE' && name !== 'ORGANIZER') return toLine(unescape(value))
  const address = value.replace(/^mailto:/i, '')
  const person = parameters.has('CN') ? `${parameters.get('CN')} <${address}>` : address
  const state = (parameters.get('PARTSTAT') ?? '').toLowerCase()
  return state === '' ? person : `${person} (${state})`
}

export const readCalendar = (bytes: Uint8Array): Promise<ExtractedText> =>
  readLines(bytes, (lines, text, omissions) => {
    let zones = 0
    for (const line of lines) {
      const component = line.value.trim().toUpperCase()
      // rules of time zones; the zones are named
      if (component === 'VTIMEZONE' && line.name === 'BEGIN') zones += 1
      if (component === 'VTIMEZONE' && line.name === 'END') zones -= 1
      if (zones > 0) continue
      if (line.name === 'BEGIN' && component !== 'VCALENDAR') {
        text.add(`${text.length === 0 ? '' : '\n\n'}${componentNames.get(component) ?? component}`)
        continue
      }
      if (technical.test(line.name)) continue
      const value = readValue(line, omissions)
      if (value === undefined) continue
      const shown = formatCalendarValue(line, value)
      const allDay = line.name === 'DTEND' && line.parameters.get('VALUE') === 'DATE' ? ' (not included)' : ''
      const name = calendarNames.get(line.name) ?? line.name
      if (shown !== '') text.add(`${text.length === 0 ? '' : '\n'}${name}: ${shown}${allDay}`)
    }
  })
