import { describe, expect, it } from 'vitest'
import { configKeys } from '../../infra/aws/config.ts'
import { identityProviders } from './configurations.ts'
import { collectReferences, findRefusals, type ReferencesByStack } from './references.ts'
import { synthesise } from './synthesised.ts'

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012'
const domainName = 'chat.example.org'
const google = { googleClientId: 'id', googleSecretName: 'team/google' }

/** One setting each, of those that change what the stacks consist of. */
const changes: Record<string, Record<string, unknown>> = {
  defaults: {},
  google,
  'identity providers': { identityProviders },
  'identity providers and Google': { identityProviders, ...google },
  'Google without passwords': { ...google, passwordSignIn: 'off' },
  'identity providers without passwords': { identityProviders, passwordSignIn: 'off' },
  'a named key of the model': { modelKeySecretName: 'team/model' },
  bedrock: { modelServer: 'bedrock', openaiModel: 'us.anthropic.claude-sonnet-5' },
  'a certificate that is made': { domainName, hostedZoneId: 'Z1D633PJN98FT9' },
  'a certificate of one’s own': { domainName, certificateArn },
  waf: { waf: 'on' },
  'the vault in the table': { vault: 'table' },
  'data that goes': { keepData: 'off' },
  'no monitoring': { monitoring: 'off' },
  'no access logs, no apps': { accessLogs: 'off', mcpApps: 'off' },
  'secrets and mail': {
    githubTokenSecretName: 'team/github',
    providerAppsSecretName: 'team/apps',
    sesSender: 'hello@example.org',
    alarmEmail: 'team@example.org',
  },
  everything: {
    domainName,
    hostedZoneId: 'Z1D633PJN98FT9',
    waf: 'on',
    ...google,
    identityProviders,
    passwordSignIn: 'off',
    modelKeySecretName: 'team/model',
    vault: 'table',
    chatConcurrency: 20,
    sharing: 'off',
    requireTwoFactor: 'on',
  },
}

const references = Object.fromEntries(
  Object.entries(changes).map(([name, context]) => [name, collectReferences(synthesise(context))]),
)

describe('a change of the configuration (DEC-187)', () => {
  it.each(Object.keys(changes))('from %s to any other is not refused by CloudFormation', (from) => {
    const before = references[from] ?? {}
    // a first deployment refuses nothing that a later one would not
    expect(findRefusals({}, before)).toEqual([])
    const refused = Object.entries(references)
      .map(([to, after]) => [to, findRefusals(before, after)] as const)
      .filter(([, refusals]) => refusals.length > 0)
    expect(refused).toEqual([])
  })

  it('is tried with every setting whose value decides which resources there are', () => {
    const tried = new Set(Object.values(changes).flatMap((context) => Object.keys(context)))
    const numbersAndTexts = configKeys.filter((key) => !tried.has(key))
    expect(numbersAndTexts.toSorted()).toEqual([
      'assistantName',
      'brandName',
      'imagesPerDay',
      'logRetentionDays',
      'minPasswordCharacters',
      'modelApi',
      'models',
      'openaiBaseUrl',
      'openaiImageModel',
      'outboundAllow',
      'rateLimitFactor',
      'recoveryDays',
      'repliesAtOnce',
      'sesIdentity',
      'signUp',
      'siteTokensPerDay',
      'stage',
      'storageGbPerUser',
      'tokensPerDay',
    ])
  })

  it('would be refused where an importer still holds what an exporter drops, changes, or never had', () => {
    const none = { exports: {}, imports: [], outputs: [], readsOutputs: [] }
    const stacks = (value: unknown, wanted: string[], read: string[] = []): ReferencesByStack => ({
      data: { ...none, stackName: 'data', exports: value === undefined ? {} : { key: value } },
      api: { ...none, stackName: 'api', imports: wanted, readsOutputs: read },
    })
    expect(findRefusals(stacks('a', ['key']), stacks(undefined, []))).toEqual(['data: key is in use by api'])
    expect(findRefusals(stacks('a', ['key']), stacks('b', ['key']))).toEqual(['data: key is in use by api'])
    expect(findRefusals(stacks('a', []), stacks(undefined, ['key']))).toEqual([
      'api: nothing is exported as key',
    ])
    expect(findRefusals({}, stacks('a', [], ['data.Key']))).toEqual(['api: there is no output data.Key'])
  })
})
