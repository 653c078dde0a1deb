import { describe, expect, it } from 'vitest'
import { outboundHttp } from '../platform/net/outbound-http.ts'
import { parseInputRequests } from './elicitation.ts'
import { isSecretField } from './secret-fields.ts'

const { check } = outboundHttp()
const parse = (inputRequests: object, requestState?: string) =>
  parseInputRequests('Tables', { inputRequests, requestState }, check)

const buildForm = (properties: object, more: object = {}) => ({
  form: {
    method: 'elicitation/create',
    params: { message: 'Please', requestedSchema: { type: 'object', properties, ...more } },
  },
})
const buildPage = (url: string) => ({
  page: { method: 'elicitation/create', params: { mode: 'url', message: 'Please', url } },
})
const parseFields = (properties: object, more?: object) => {
  const [request] = parse(buildForm(properties, more)).requests
  return request?.mode === 'form' ? request.fields : undefined
}

describe('a form', () => {
  it('may have every field type of the specification', () => {
    const options = [{ const: 'a', title: 'Ay' }]
    const schema = {
      text: {
        type: 'string',
        title: 'Text',
        description: 'Any',
        minLength: 1,
        maxLength: 9,
        pattern: '^a',
        default: 'x',
      },
      day: { type: 'string', format: 'date' },
      size: { type: 'number', minimum: 0.5, maximum: 2, default: 1 },
      count: { type: 'integer' },
      sure: { type: 'boolean', default: false },
      plain: { type: 'string', enum: ['a', 'b'] },
      named: { type: 'string', enum: ['a', 'b'], enumNames: ['Ay'] },
      titled: { type: 'string', oneOf: options, default: 'a' },
      many: {
        type: 'array',
        items: { type: 'string', enum: ['a', 'b'] },
        minItems: 1,
        maxItems: 2,
        default: ['b'],
      },
      titledMany: { type: 'array', items: { anyOf: options } },
    }
    const optional = { required: false }
    expect(parseFields(schema, { required: ['text'], additionalProperties: false })).toEqual([
      {
        name: 'text',
        label: 'Text',
        description: 'Any',
        required: true,
        type: 'text',
        min: 1,
        max: 9,
        default: 'x',
      },
      { name: 'day', label: 'day', ...optional, type: 'text', format: 'date' },
      { name: 'size', label: 'size', ...optional, type: 'number', min: 0.5, max: 2, default: 1 },
      { name: 'count', label: 'count', ...optional, type: 'integer' },
      { name: 'sure', label: 'sure', ...optional, type: 'boolean', default: false },
      {
        name: 'plain',
        label: 'plain',
        ...optional,
        type: 'choice',
        options: [
          { value: 'a', label: 'a' },
          { value: 'b', label: 'b' },
        ],
      },
      {
        name: 'named',
        label: 'named',
        ...optional,
        type: 'choice',
        options: [
          { value: 'a', label: 'Ay' },
          { value: 'b', label: 'b' },
        ],
      },
      {
        name: 'titled',
        label: 'titled',
        ...optional,
        type: 'choice',
        options: [{ value: 'a', label: 'Ay' }],
        default: 'a',
      },
      {
        name: 'many',
        label: 'many',
        ...optional,
        type: 'choices',
        min: 1,
        max: 2,
        options: [
          { value: 'a', label: 'a' },
          { value: 'b', label: 'b' },
        ],
        default: ['b'],
      },
      {
        name: 'titledMany',
        label: 'titledMany',
        ...optional,
        type: 'choices',
        options: [{ value: 'a', label: 'Ay' }],
      },
    ])
  })

  it('may say that a field can be null, or leave out the type of its options', () => {
    // as reported: Pydantic's `Optional`, Zod's `nullable`, and PrefectHQ/fastmcp#2772
    const titled = [{ const: 'a', title: 'Ay' }]
    const options = [{ value: 'a', label: 'a' }]
    const optional = { required: false }
    expect(
      parseFields({
        age: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null, title: 'Age' },
        mail: { type: ['string', 'null'], format: 'email' },
        level: { oneOf: titled },
        size: { enum: ['a'] },
        perhaps: { anyOf: [{ type: 'null' }, { enum: ['a'], type: 'string' }] },
        tags: { type: 'array', items: { enum: ['a'] } },
      }),
    ).toEqual([
      { name: 'age', label: 'Age', ...optional, type: 'integer', min: 1 },
      { name: 'mail', label: 'mail', ...optional, type: 'text', format: 'email' },
      { name: 'level', label: 'level', ...optional, type: 'choice', options: [{ value: 'a', label: 'Ay' }] },
      { name: 'size', label: 'size', ...optional, type: 'choice', options },
      { name: 'perhaps', label: 'perhaps', ...optional, type: 'choice', options },
      { name: 'tags', label: 'tags', ...optional, type: 'choices', options },
    ])
  })

  it('drops a default that could not be submitted', () => {
    expect(
      parseFields({ n: { type: 'integer', maximum: 3, default: 4 }, s: { type: 'string', default: 5 } }),
    ).toEqual([
      { name: 'n', label: 'n', required: false, type: 'integer', max: 3 },
      { name: 's', label: 's', required: false, type: 'text' },
    ])
  })

  it.each([
    ['a nested object', { a: { type: 'object', properties: {} } }],
    ['a reference', { a: { type: 'string', $ref: '#/x' } }],
    ['alternatives', { a: { type: 'string', anyOf: [{ const: 'a' }] } }],
    ['no type', { a: { title: 'A' } }],
    ['null alone', { a: { anyOf: [{ type: 'null' }] } }],
    ['two types or null', { a: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] } }],
    ['two types', { a: { type: ['string', 'integer'] } }],
    ['a nested object or null', { a: { anyOf: [{ type: 'object', properties: {} }, { type: 'null' }] } }],
    ['an unknown format', { a: { type: 'string', format: 'password' } }],
    ['a list of anything', { a: { type: 'array', items: { type: 'string' } } }],
    ['no options', { a: { type: 'string', enum: [] } }],
    ['two sets of options', { a: { type: 'string', enum: ['a'], oneOf: [{ const: 'a', title: 'A' }] } }],
    ['options that are not strings', { a: { type: 'string', enum: [1] } }],
    ['a negative length', { a: { type: 'string', minLength: -1 } }],
  ])('with %s is not shown', (_, properties) => {
    expect(() => parse(buildForm(properties))).toThrow(
      'Tables asked the user for something, which was declined: the field "a" has a type that forms do not have. The call was not completed.',
    )
  })

  it('without any field to enter is not shown', () => {
    expect(() => parse(buildForm({ a: { type: 'string', minLength: 3, maxLength: 2 } }))).toThrow(
      /nothing can be entered/,
    )
  })

  it.each(['\u200b', '', 'x'.repeat(101)])('with a field named %j is not shown', (name) => {
    expect(() => parse(buildForm({ [name]: { type: 'string' } }))).toThrow(/declined: a field has a name/)
  })

  it('has no field name that would be lost on its way to the page', () => {
    expect(parseFields(JSON.parse('{"__proto__":{"type":"string"}}') as object)).toEqual([])
  })

  it('that is larger than anyone fills in is not shown', () => {
    const tooManyFields = Object.fromEntries(
      Array.from({ length: 21 }, (_, n) => [`f${n}`, { type: 'string' }]),
    )
    expect(() => parse(buildForm(tooManyFields))).toThrow(/more than 20 fields/)
    const forms = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`k${n}`, buildForm({}).form]))
    expect(() => parse(forms)).toThrow(/too much at once/)
    expect(() => parse(buildForm({}), 'é'.repeat(32_769))).toThrow(/too long/)
    expect(parse(buildForm({}), 'é'.repeat(32_768)).requestState).toHaveLength(32_768)
  })

  it('may not ask for a secret, by name or title', () => {
    expect(() => parse(buildForm({ a: { type: 'string', title: 'Your GitHub password' } }))).toThrow(
      'the field "a" asks for a secret. No secrets in forms.',
    )
    expect(() => parse(buildForm({ apiKey: { type: 'string' } }))).toThrow(/No secrets/)
    expect(() => parse(buildForm({ n: { type: 'integer', title: 'Card\u200b number' } }))).toThrow(
      /No secrets/,
    )
    // nothing is typed into these
    expect(parseFields({ resetPassword: { type: 'boolean' } })).toHaveLength(1)
  })
})

it.each([
  'password',
  'Passwort',
  'new_password',
  'userPassword',
  'PASSPHRASE',
  'pwd',
  'client_secret',
  'P\u0430ssw\u043erd',
  'Passw0rd',
  'P\u0406N',
  'Pass\u3164word',
  'access token',
  'API-Key',
  'private key',
  'key',
  'PIN',
  'One-time code',
  'verificationCode',
  'CVV',
  'Card number',
  'creditCard',
  'Social Security Number',
  'seed phrase',
  'Contraseña',
  'Пароль',
  '密码',
  'ｐａｓｓｗｏｒｄ',
  '2FA code',
])('%s names a secret', (name) => expect(isSecretField(name)).toBe(true))

it.each([
  'date',
  'people',
  'issueKey',
  'Project key',
  'keyword',
  'max_tokens',
  'pinned',
  'passenger',
  'passport country',
  'postcode',
  'code',
  'tokenizer',
  'secretary',
  'business card text',
])('%s names no secret', (name) => expect(isSecretField(name)).toBe(false))

it.each([
  'http://example.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://192.168.0.1/',
  'https://[::1]/',
  'https://bank.example@evil.example/',
  `https://example.com/${'x'.repeat(2_000)}`,
  'example.com',
])('the URL %s is not shown', (url) => {
  expect(() => parse(buildPage(url))).toThrow(/declined: the address of its page/)
})

it('a URL is shown with its host in ASCII and its port', () => {
  expect(parse(buildPage('https://bücher.example:8443/a?b#c')).requests).toEqual([
    {
      mode: 'url',
      key: 'page',
      message: 'Please',
      url: 'https://xn--bcher-kva.example:8443/a?b#c',
      host: 'xn--bcher-kva.example:8443',
    },
  ])
})

it('only elicitation requests are answered', () => {
  const sampling = { a: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } } }
  expect(() => parse(sampling)).toThrow(/neither a flat form nor a web page/)
  expect(() => parse({ a: { method: 'roots/list' } })).toThrow(/declined/)
})
