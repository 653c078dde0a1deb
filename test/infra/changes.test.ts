import { describe, expect, it } from 'vitest'
import { configKeys } from '../../infra/aws/config.ts'
import { variants } from './configurations.ts'
import { collectReferences, findRefusals, type ReferencesByStack } from './references.ts'
import { synthesise } from './synthesised.ts'

const references = Object.fromEntries(
  Object.entries(variants).map(([name, context]) => [name, collectReferences(synthesise(context))]),
)

describe('a change of the configuration (DEC-187)', () => {
  it.each(Object.keys(variants))('from %s to any other is accepted by CloudFormation', (from) => {
    const before = references[from] ?? {}
    // a first deployment allows everything that a later one would
    expect(findRefusals({}, before)).toEqual([])
    const refusedChanges = Object.entries(references)
      .map(([to, after]) => [to, findRefusals(before, after)] as const)
      .filter(([, refusals]) => refusals.length > 0)
    expect(refusedChanges).toEqual([])
  })

  it('is tested for every setting that changes which resources exist', () => {
    const variedKeys = new Set<string>(Object.values(variants).flatMap((context) => Object.keys(context)))
    const numbersAndTexts = configKeys.filter((key) => !variedKeys.has(key))
    expect(numbersAndTexts.toSorted()).toEqual([
      'assistantName',
      'brandName',
      'conversationTitles',
      'imagesPerDay',
      'logRetentionDays',
      'minPasswordCharacters',
      'modelApi',
      'modelHeadersSecret',
      'modelSilenceSeconds',
      'models',
      'openaiBaseUrl',
      'openaiImageModel',
      'outboundAllow',
      'permissionsBoundary',
      'rateLimitFactor',
      'recoveryDays',
      'repliesAtOnce',
      'replySeconds',
      'requestsPerSecond',
      'sesIdentity',
      'signUp',
      'siteTokensPerDay',
      'stage',
      'storageGbPerUser',
      'tokensPerDay',
      'transcriptionModel',
      // gives vault its default, which is tested
      'users',
      'webSearch',
      'webSearchKeySecretName',
      'webSearchUrl',
    ])
  })

  it('would be refused while an importer still needs what an exporter drops, changes, or never had', () => {
    const noReferences = { exports: {}, imports: [], outputs: [], readsOutputs: [] }
    const stacks = (value: unknown, imports: string[], readsOutputs: string[] = []): ReferencesByStack => ({
      data: { ...noReferences, stackName: 'data', exports: value === undefined ? {} : { key: value } },
      api: { ...noReferences, stackName: 'api', imports, readsOutputs },
    })
    expect(findRefusals(stacks('a', ['key']), stacks(undefined, []))).toEqual(['data: key is in use by api'])
    expect(findRefusals(stacks('a', ['key']), stacks('b', ['key']))).toEqual(['data: key is in use by api'])
    expect(findRefusals(stacks('a', []), stacks(undefined, ['key']))).toEqual([
      'api: nothing is exported as key',
    ])
    expect(findRefusals({}, stacks('a', [], ['data.Key']))).toEqual(['api: there is no output data.Key'])
  })
})
