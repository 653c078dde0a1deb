import { beforeAll, expect, it, vi } from 'vitest'
import { sayCapability } from '#shared/sentences/capabilities.ts'
import { sayChat } from '#shared/sentences/chat.ts'
import { sayConversation } from '#shared/sentences/conversations.ts'
import { sayDocument } from '#shared/sentences/documents.ts'
import { sayFile } from '#shared/sentences/files.ts'
import { sayIntegration } from '#shared/sentences/integrations.ts'
import { saySetUp } from '#shared/sentences/set-ups.ts'
import { sayModel } from '#shared/sentences/model.ts'
import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { sayPlatform } from '#shared/sentences/platform.ts'
import { sayQuery } from '#shared/sentences/queries.ts'
import { sayRegistry } from '#shared/sentences/registry.ts'
import { sayServerRequest } from '#shared/sentences/server-requests.ts'
import { sayServer } from '#shared/sentences/servers.ts'
import { joinSentences, toCodes } from '#shared/sentences/to-sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import { findInvalidArguments, findInvalidEmail } from '../../../../../test/support/invalid-inputs.ts'
import { toServiceFailure, toolsLeftOut } from '#shared/chat-texts.ts'

vi.mock('../../../lib/text/locale.ts', async (original) => ({
  ...(await original<object>()),
  language: 'de',
  locale: 'de-u-nu-latn',
}))

// whatever imports it, also what the file before still loads, gets it with the catalogue
vi.mock('../../../lib/text/language.ts', async (original) => {
  document.documentElement.lang = 'de'
  const loading = await original<typeof import('../../../lib/text/language.ts')>()
  await loading.loadCatalogue()
  if (!loading.getCatalogue()) throw new Error('the German catalogue was not loaded')
  return loading
})

const badAddress = 'Die Anfrage ist ungültig: emails.0: „ann“ ist keine E-Mail-Adresse.'
const asReceived = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

let page: typeof import('../../../lib/text/translate.ts')
let translateName: typeof import('../../../lib/text/translate-name.ts').translateName
let translateSentences: typeof import('../../../lib/text/translate-sentences.ts').translateSentences
beforeAll(async () => {
  // what the file before has imported must be evaluated again
  await vi.dynamicImportSettled()
  vi.resetModules()
  page = await import('../../../lib/text/translate.ts')
  ;({ translateName } = await import('../../../lib/text/translate-name.ts'))
  ;({ translateSentences } = await import('../../../lib/text/translate-sentences.ts'))
  return () => {
    document.documentElement.lang = 'en'
  }
})

it.each([
  [
    'a route',
    sayPlatform('too_many_requests', { seconds: 121 }),
    'Zu viele Anfragen. Bitte warten Sie 3 Minuten',
  ],
  ['a quota', sayFile('storage_full', { used: 0.5, limit: 2, unit: 'GB' }), '0,5 GB von 2,0 GB'],
  ['an import', sayConversation('too_many_imports_today', { seconds: 7_201 }), 'in 3 Stunden'],
  [
    'a budget',
    sayChat('budget.month_money', { limit: 2.5, date: '2026-12-01T00:00:00Z' }),
    /2,50\s\$.*am 1\. Dezember \(UTC\)/,
  ],
  ['tokens', sayChat('budget.day_tokens', { limit: 12_000 }), '12.000 Tokens'],
  ['a sign-in', sayPlatform('session_ended'), 'Zwei-Faktor'],
  [
    'a connection',
    sayServer('mcp_server_failed.refused', { said: 'No {way}.' }),
    'Die Antwort war: „No {way}.“',
  ],
  ['a connection without words', sayServer('mcp_server_failed.refused', { said: '' }), /\.$/],
  [
    'what is said of a server',
    saySetUp('setup_required.discovery', { name: 'Notes', problem: saySetUp('discovery.none') }),
    'es sagt nicht, wo man sich anmeldet',
  ],
  ['the name of a field', saySetUp('bad_request.field_invalid', { label: 'Tenant' }), /^Mandant/],
  [
    'several names, one of a server',
    saySetUp('bad_request.other_fields', { name: 'Notes', labels: ['API key', 'X-Team'] }),
    'Notes verlangt jetzt API-Schlüssel und X-Team.',
  ],
  ['an unknown way to sign in', sayIntegration('credentials_required.unknown'), /^Eine Anmeldung ist/],
  ['an invitation', sayPlatform('bad_request.invalid', { problem: findInvalidEmail('ann') }), badAddress],
  [
    'the arguments of a call',
    sayTool('call_invalid.schema', {
      problem: findInvalidArguments({ query: 'x'.repeat(9), count: 0, more: 1 }),
    }),
    'query: mehr als 8 Zeichen, count: kleiner als 1 und unbekannte Felder: more',
  ],
  [
    'what is missing',
    sayTool('call_invalid.schema', { problem: findInvalidArguments({ query: 4 }) }),
    'query: der Wert hat eine andere Art und count: die Angabe fehlt',
  ],
  [
    'a refused request of a server',
    sayTool('server_asked', {
      name: 'Trains',
      problem: sayServerRequest('request_not_shown.secret', { field: 'PIN' }),
    }),
    'das Feld „PIN“ fragt nach einem Geheimnis',
  ],
  [
    'a tool of an integration',
    sayCapability('which_one.names', { what: 'board', names: '"Launch"' }),
    'Was ist gemeint (Board)? Es gibt "Launch".',
  ],
  ['a tool of the product', sayOwnTool('own_tool.no_files'), 'Diese Unterhaltung hat keine Dateien.'],
  [
    'a directory that was not read',
    sayRegistry('sync_part.directory', {
      name: 'slack',
      problem: sayRegistry('github_failed.rate_limit', { status: 403 }),
    }),
    'slack: Fehler der GitHub-API: 403 (Anfragelimit)',
  ],
  ['a notice', toolsLeftOut(['a', 'b', 'c', 'd', 'e', 'f']), 'a, b, c, d, e'],
  [
    'a number in a list',
    sayTool('files_left_out', { count: 2, max: 10 }),
    '2 weitere Dateien wurden weggelassen',
  ],
])('the sentence of %s is said in the language of the page', (_, sentence, german) => {
  const said = page.translateSentence(asReceived(sentence))
  // a text is looked for as it is
  expect(said).toMatch(german)
  expect(said).not.toBe(sentence.text)
})

it('a note of several parts is said part by part', () => {
  const parts = [
    sayDocument('read_in_part.pages', { read: 3, pages: 1_200 }),
    sayDocument('pages_without_text.several', {
      pages: ['2', '5–9', sayDocument('more_pages', { count: 4 })],
    }),
    sayDocument('not_read.several', {
      things: [sayDocument('omitted.charts', { count: 1 }), sayDocument('omitted.pictures', { count: 2 })],
    }),
  ]
  const note = joinSentences(parts, '; ')
  const said = translateSentences(note, asReceived(toCodes(parts)), '; ')
  expect(said).toBe(
    'die ersten 3 von 1.200 Seiten; die Seiten 2, 5–9 und 4 weitere haben keinen Text, vielleicht wurden sie gescannt; 1 Diagramm und 2 Bilder wurden nicht gelesen',
  )
  // one part that the page does not know: the note is not mixed of two languages
  expect(translateSentences(note, [...toCodes(parts), { code: 'of_tomorrow' }], '; ')).toBe(note)
  expect(translateSentences(note, undefined, '; ')).toBe(note)
  expect(translateSentences(note, [], '; ')).toBe(note)
})

it('the failure of a stream is said with its beginning, and its kind is that of its code', async () => {
  const { toStreamFailure } = await import('./chat-failure.ts')
  expect(
    toStreamFailure(asReceived(toServiceFailure(sayModel('model_busy.wait', { seconds: 20 })))),
  ).toMatchObject({
    kind: 'service',
    message:
      'Fehler des Dienstes: Das Modell des Assistenten ist ausgelastet. Bitte versuchen Sie es in 20 Sekunden noch einmal.',
  })
  expect(toStreamFailure(asReceived(toServiceFailure(sayChat('budget.everybody'))))).toMatchObject({
    kind: 'limit',
    message: expect.stringMatching(/^Dieser Assistent/) as string,
  })
  const old = { error: 'Service error: The reply was cut off. Please try again.' }
  expect(toStreamFailure(old)).toMatchObject({ kind: 'service', message: old.error })
})

it.each([
  ['a code of a newer service', { code: 'of_tomorrow', params: { a: 1 } }],
  ['a reason of a newer service', { code: 'budget', params: { reason: 'year' } }],
  ['no code, as older rows have it', {}],
  ['a parameter that is missing', { code: 'file_too_large', params: { reason: 'upload' } }],
  ['a parameter of another kind', { code: 'read_in_full', params: { reason: 'pages', pages: null } }],
  ['the name of a property of all objects', { code: 'constructor' }],
])('with %s the English sentence is shown', (_, coded) => {
  expect(page.translateSentence({ ...coded, text: 'As it is.' })).toBe('As it is.')
})

it('names of built-in tools are translated, and those of others are not', () => {
  expect(translateName('Send an e-mail')).toBe('E-Mail senden')
  expect(translateName('Tool of a server')).toBe('Tool of a server')
})

it('a conversation without a title, and a tool whose list was queried, are called as the page calls them', async () => {
  const { formatConversationTitle } = await import('../../../lib/conversations/conversation-title.ts')
  expect(['New Chat', 'Lunch'].map(formatConversationTitle)).toEqual(['Neuer Chat', 'Lunch'])
  const { nameSources } = await import('../query/describe-sources.ts')
  const table = 'result_1_get_emails'
  expect(nameSources([{ table, integration: 'Gmail', title: 'Read e-mails' }])).toBe('Gmail · E-Mails lesen')
  expect(nameSources([{ table, tool: 'Gmail · Read e-mails' }])).toBe('Gmail · Read e-mails')
})

it('what the product says within the result of a tool is in the language of the page, and nothing else is', async () => {
  const { translateData } = await import('../../../lib/text/translate-data.ts')
  const said = [sayOwnTool('not_searched.late'), sayCapability('airtable_computed.name', { field: 'Nr' })]
  const data = {
    created: true,
    not_written: said[1]?.text,
    not_searched: [{ name: 'a', why: said[0]?.text }],
  }
  expect(translateData(data, asReceived(said))).toEqual({
    created: true,
    not_written: 'Airtable berechnet das erste Feld, „Nr“. Der Name wurde nicht geschrieben.',
    not_searched: [{ name: 'a', why: 'nicht rechtzeitig geöffnet' }],
  })
  expect(translateData(data)).toBe(data)
})

it('a statement over no tables says so in the language of the page', async () => {
  const { summariseToolCall } = await import('../calls/tool-summary.ts')
  const none = [sayQuery('query.no_tables')]
  const data = { columns: [], rows: [], total_rows: 0, note: joinSentences(none), codes: toCodes(none) }
  const call = {
    tool: 'query_table',
    action: 'Query tables',
    parameters: {},
    result: { success: true, data },
  }
  expect(summariseToolCall(call).outcome).toMatch(/^In den Dateien dieser Unterhaltung/)
})

it('a statement that did not run says so in the language of the page, and SQLite in its own', async () => {
  const { summariseToolCall } = await import('../calls/tool-summary.ts')
  const said = [
    sayQuery('query.sqlite', { message: 'no such table: result_1_x.' }),
    sayQuery('query.result_gone'),
  ]
  const data = asReceived({ error: joinSentences(said), codes: toCodes(said), tables: [] })
  const call = {
    tool: 'query_table',
    action: 'Query tables',
    parameters: {},
    result: { success: true, data },
  }
  expect(summariseToolCall(call).outcome).toMatch(/^no such table: result_1_x\. Tabellen aus Ergebnissen/)
})
