import { expect, it } from 'vitest'
import { defaultModel, listModels, modelList, toPublicModels } from './models.ts'

const large = {
  id: 'large',
  name: 'Large',
  api: 'responses',
  contextTokens: 400_000,
  maxOutputTokens: 32_000,
  vision: false,
  efforts: ['low', 'high'],
  webSearch: true,
  price: {
    input: 2,
    cachedInput: 0.2,
    cacheWrite: 2.5,
    output: 10,
    long: { above: 200_000, input: 4, output: 15 },
  },
}
const listProblems = (value: unknown) =>
  modelList
    .safeParse(value)
    .error?.issues.map(({ path, message }) => [path.join('.'), message].join(' ').trim())

it('MODELS is JSON, or a list in cdk.json', () => {
  expect(modelList.parse(JSON.stringify([large, { id: 'small' }]))).toEqual([large, { id: 'small' }])
  expect(modelList.parse([large])).toEqual([large])
})

it.each([
  ['{', ['must be a list of models, in JSON']],
  ['{"id":"x"}', ['must be a list of models, in JSON']],
  ['[]', ['must name at least one model']],
  [7, ['must be a list of models, in JSON']],
  [[{ id: 'a' }, { id: 'a' }], ['must name a only once']],
  [[{ id: 'a', efforts: ['low', 'low'] }], ['0.efforts must name each effort only once']],
  [
    [{ id: 'a', api: 'chat', webSearch: true }],
    ['0.webSearch needs the API responses or messages, and this model has chat'],
  ],
  [
    Array.from({ length: 60 }, (_, index) => ({ id: `model-${index}`, name: 'A name of some length' })),
    [
      'must not be longer than 2,000 characters, because all environment variables of a function together have 4 KB',
    ],
  ],
])('%j is refused', (value, expected) => {
  expect(listProblems(value)).toEqual(expected)
})

it('reports all errors at once', () => {
  const invalidModels = [
    { id: '', api: 'soap', vision: 'yes' },
    { name: 'No id', efforts: ['HIGH'], price: { input: -1, long: { above: 0, input: 1 } }, window: 5 },
  ]
  expect(listProblems(invalidModels)).toEqual([
    '0.id must be the name of a model',
    '0.api must be responses, chat or messages',
    '0.vision must be true or false',
    '1.id must be the name of a model',
    '1.efforts.0 must be a word such as low, medium or high',
    '1.price.input must be US dollars per million tokens',
    '1.price.output must be US dollars per million tokens',
    '1.price.long.above must be a number of tokens',
    '1.price.long.output must be US dollars per million tokens',
    '1 Unrecognized key: "window"',
  ])
})

it('puts a default model that is not listed first; otherwise the first model is the default', () => {
  const models = [{ id: 'a' }, { id: 'b' }]
  expect(listModels(models, 'b')).toEqual({ models, defaultId: 'b' })
  expect(listModels(models, 'c')).toEqual({ models: [{ id: 'c' }, ...models], defaultId: 'c' })
  expect(listModels(models, undefined)).toEqual({ models, defaultId: 'a' })
  expect(listModels(undefined, undefined)).toEqual({ models: [defaultModel], defaultId: defaultModel.id })
  expect(listModels(undefined, 'own')).toEqual({ models: [{ id: 'own' }], defaultId: 'own' })
})

it('gives the page what users choose models by', () => {
  const list = listModels(modelList.parse([large, { id: 'small' }]), 'small')
  const { id, name, vision, efforts, contextTokens, price } = large
  expect(toPublicModels(list)).toEqual([
    { id, name, vision, efforts, contextTokens, price, isDefault: false },
    { id: 'small', name: 'small', vision: true, efforts: [], isDefault: true },
  ])
})
