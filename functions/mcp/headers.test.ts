import { describe, expect, it } from 'vitest'
import {
  buildEntryHeaders,
  splitAddress,
  trimFields,
  buildStoredCustomToolHeaders,
  buildCustomToolHeaders,
} from './headers.ts'

it.each(['abc', 'Bearer abc', 'bearer  abc', 'Authorization: Bearer abc', ' Bearer abc '])(
  'a key that is pasted as "%s" is sent once as a bearer token',
  (apiKey) => {
    expect(buildCustomToolHeaders({ apiKey, customFields: {} })).toEqual({ authorization: 'Bearer abc' })
    expect(buildEntryHeaders([], { apiKey: apiKey.trim() })).toEqual({ authorization: 'Bearer abc' })
  },
)

it.each([
  'Basic YTpi',
  'Authorization: Basic YTpi',
  'authorization:Basic YTpi',
  ' Basic YTpi',
  '"Authorization: Basic YTpi"',
  "-H 'Authorization: Basic YTpi'",
])('a key that is pasted as "%s" keeps its scheme', (apiKey) => {
  expect(buildCustomToolHeaders({ apiKey, customFields: {} })).toEqual({ authorization: 'Basic YTpi' })
  expect(buildEntryHeaders([], { apiKey })).toEqual({ authorization: 'Basic YTpi' })
})

it.each([
  ['https://a.example/mcp', 'https://a.example/mcp', undefined],
  ['https://a.example/mcp?', 'https://a.example/mcp?', undefined],
  ['https://a.example/mcp?key=s3cret&a%20b=1', 'https://a.example/mcp?key=••••&a%20b=••••', 'whole'],
  ['https://a.example/mcp?s3cret', 'https://a.example/mcp?••••', 'whole'],
  // https://docs.zapier.com/mcp/get-started/connect/other: an address with a token is kept like a password

  ['https://a.example/s/NTBlNWFlOTgtZjQyYy00/mcp', 'https://a.example/s/••••/mcp', 'whole'],
  ['https://a.example/50e5ae98-f42c-4b1d-9c1e-0d2f7a61b3c4', 'https://a.example/••••', 'whole'],
  ['https://a.example/sk-ak-Zq8Jm2Lp0Wd4Xs6Yt1/sse?a=1', 'https://a.example/••••/sse?a=••••', 'whole'],
  [
    'https://a.example/a-server-for-all-my-notes/mcp',
    'https://a.example/a-server-for-all-my-notes/mcp',
    undefined,
  ],
  ['no address?key=s3cret', 'no address?key=s3cret', undefined],
])('of the address %s, %s is shown', (address, shown, secret) => {
  expect(splitAddress(address)).toEqual({ shown, ...(secret && { secret: address }) })
})

/** With Expect, Keep-Alive and Upgrade, fetch fails. */
const transport =
  'Host Content-Length Content-Type Transfer-Encoding Connection Accept Expect Keep-Alive Upgrade Proxy-Connection TE Trailer Last-Event-ID MCP-Protocol-Version MCP-Session-Id'.split(
    ' ',
  )

describe('the headers of a custom tool', () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    [
      'names of letters, digits and symbols',
      { a: '1', '9': '2', "!#$%&'*+.^_|~-": '3' },
      { a: '1', '9': '2', "!#$%&'*+.^_|~-": '3' },
    ],
    ['names in lower case', { 'X-Team': 'red' }, { 'x-team': 'red' }],
    ['no name with invalid characters', { 'a b': '1', 'a:b': '1', 'a\n': '2', é: '1' }, { a: '2' }],
    ['a name of the maximum length', { ['x'.repeat(64)]: '1' }, { ['x'.repeat(64)]: '1' }],
    ['no longer name', { ['x'.repeat(65)]: '1' }, {}],
    [
      'no headers of the transport',
      Object.fromEntries([...transport, 'Cookie'].map((name) => [name, 'x'])),
      {},
    ],
    [
      'a value without the name of its header',
      { Authorization: 'Authorization: Bearer abc', 'X-Key': 'x-key:abc', 'X-Time': '10:30' },
      { authorization: 'Bearer abc', 'x-key': 'abc', 'x-time': '10:30' },
    ],
    ['no field that names the header of the key', { HEADER: 'X-Key', a: '1' }, { a: '1' }],
  ])('contain %s', (_, customFields, headers) => {
    expect(buildCustomToolHeaders({ apiKey: '', customFields })).toEqual(headers)
  })

  it('contain the key as a bearer token or in the header named for it, which replaces that field', () => {
    const buildHeaders = (customFields: Record<string, string>) =>
      buildCustomToolHeaders({ apiKey: ' k ', customFields })
    expect(buildHeaders({})).toEqual({ authorization: 'Bearer k' })
    expect(buildHeaders({ Authorization: 'mine' })).toEqual({ authorization: 'Bearer k' })
    expect(buildHeaders({ Header: 'X-Key', 'x-key': 'other' })).toEqual({ 'x-key': 'k' })
    expect(buildCustomToolHeaders({ apiKey: 'X-Key: k', customFields: { header: 'x-key' } })).toEqual({
      'x-key': 'k',
    })
    expect(buildHeaders({ header: 'no header' })).toEqual({ authorization: 'Bearer k' })
    expect(buildHeaders({ header: 'Cookie', a: '1' })).toEqual({ a: '1', authorization: 'Bearer k' })
  })

  it('are built from the values in the vault', () => {
    expect(
      buildStoredCustomToolHeaders({
        'api-key': 'k',
        'field:x-team': 'red',
        'field:field:a': 'no',
        other: 'nothing',
      }),
    ).toEqual({ authorization: 'Bearer k', 'x-team': 'red' })
    expect(buildStoredCustomToolHeaders({})).toEqual({})
  })
})

it('CUST-08 leaves out fields with a blank name or value', () => {
  expect(trimFields({ ' a ': ' 1 ', b: ' ', ' ': '2' })).toEqual([['a', '1']])
})

describe('the headers of an entry', () => {
  const buildField = (label: string, name = label) => ({ name, label })
  it.each<[string, { name: string; label: string }[], Record<string, string>, Record<string, string>]>([
    [
      'the header that the entry names',
      [buildField('X-Api-Key')],
      { 'X-Api-Key': 'k' },
      { 'X-Api-Key': 'k' },
    ],
    [
      'each header that the entry names, also with an underscore',
      [buildField('X_API_KEY'), buildField('org_id')],
      { X_API_KEY: 'k', org_id: 'o' },
      { X_API_KEY: 'k', org_id: 'o' },
    ],
    ['the label, not the name', [buildField('X-Key-9', 'X_Key')], { X_Key: 'k' }, { 'X-Key-9': 'k' }],
    ['the name where no label is known', [], { 'X-Key': 'k' }, { 'X-Key': 'k' }],
    [
      'a bearer token for a key without a header',
      [buildField('API key', 'apiKey')],
      { apiKey: 'k' },
      { authorization: 'Bearer k' },
    ],
    [
      'a bearer token whatever apiKey is called',
      [buildField('X-Key', 'apiKey')],
      { apiKey: 'k' },
      { authorization: 'Bearer k' },
    ],
    [
      'a bearer token for a label that is no header name',
      [buildField('Your key', 'a')],
      { a: 'k' },
      { authorization: 'Bearer k' },
    ],
    [
      'a bearer token for a label with a colon',
      [buildField('Key:', 'a')],
      { a: 'k' },
      { authorization: 'Bearer k' },
    ],
    [
      'no header longer than the maximum length',
      [buildField('x'.repeat(65), 'a')],
      { a: 'k' },
      { authorization: 'Bearer k' },
    ],
    [
      'a header of the maximum length',
      [buildField('x'.repeat(64), 'a')],
      { a: 'k' },
      { ['x'.repeat(64)]: 'k' },
    ],
    [
      'a scheme before a bare Authorization',
      [buildField('AUTHORIZATION')],
      { AUTHORIZATION: 'k' },
      { AUTHORIZATION: 'Bearer k' },
    ],
    [
      'no second scheme',
      [buildField('Authorization')],
      { Authorization: 'Basic k' },
      { Authorization: 'Basic k' },
    ],
    [
      'no scheme in a header that only ends like it',
      [buildField('X-Authorization')],
      { 'X-Authorization': 'k' },
      { 'X-Authorization': 'k' },
    ],
    [
      'no scheme in a header that only begins like it',
      [buildField('Authorization-Key')],
      { 'Authorization-Key': 'k' },
      { 'Authorization-Key': 'k' },
    ],
    [
      'no headers of the transport',
      [...transport, 'X-Key'].map((name) => buildField(name)),
      Object.fromEntries([...transport, 'X-Key'].map((name) => [name, 'k'])),
      { 'X-Key': 'k' },
    ],
    [
      'a value without the name of its header',
      [buildField('Authorization'), buildField('X-Key')],
      { Authorization: 'Authorization: Bearer k', 'X-Key': 'X-KEY: k' },
      { Authorization: 'Bearer k', 'X-Key': 'k' },
    ],
    [
      'only characters that headers may contain',
      [buildField('X-Key')],
      { 'X-Key': ' é~\u007f\u001fk' },
      { 'X-Key': ' ~k' },
    ],
  ])('contain %s', (_, fields, credentials, headers) => {
    expect(buildEntryHeaders(fields, credentials)).toEqual(headers)
  })
})
