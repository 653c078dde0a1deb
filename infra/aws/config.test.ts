import { describe, expect, it } from 'vitest'
import { defaultModel } from '#shared/models.ts'
import { configKeys, readConfig } from './config.ts'

const read = (context: Record<string, unknown> = {}) =>
  readConfig({ tryGetContext: (key: string) => context[key], getAllContext: () => context })

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012'

describe('readConfig', () => {
  it('needs no context', () => {
    expect(read()).toEqual({
      stage: 'dev',
      users: undefined,
      requestsPerSecond: 200,
      replySeconds: 300,
      settings: {},
      assistantName: 'Juno',
      brandName: 'Juno',
      brand: 'juno',
      prefix: 'juno-dev',
      domain: undefined,
      waf: false,
      outsideCheck: false,
      accessLogs: true,
      keepData: true,
      vault: 'secrets',
      modelServer: 'openai',
      modelApi: undefined,
      modelSilenceSeconds: undefined,
      openaiBaseUrl: undefined,
      openaiModel: 'gpt-6.1-terra',
      models: [defaultModel],
      openaiImageModel: 'gpt-image-2.6-flare',
      modelKeySecretName: undefined,
      google: undefined,
      identityProviders: [],
      passwordSignIn: true,
      ses: undefined,
      githubTokenSecretName: undefined,
      providerAppsSecretName: undefined,
      outboundAllow: undefined,
      signUp: { mode: 'closed', domains: [] },
      requireTwoFactor: false,
      sharing: true,
      conversationTitles: true,
      mcpApps: true,
      isolateParser: false,
      canary: false,
      minPasswordCharacters: 6,
      rateLimitFactor: 1,
      tokensPerDay: undefined,
      repliesAtOnce: undefined,
      imagesPerDay: undefined,
      siteTokensPerDay: 50_000_000,
      storageGbPerUser: undefined,
      chatConcurrency: undefined,
      monitoring: true,
      alarmEmail: undefined,
      logRetentionDays: 30,
      recoveryDays: 35,
    })
  })

  it.each([
    [{ assistantName: 'Ada' }, 'ada-dev'],
    [{ assistantName: 'Ada', brandName: 'The Desk' }, 'the-desk-dev'],
    [{ brandName: 'Café Zoë & Söhne', stage: 'live' }, 'cafe-zoe-sohne-live'],
    [{ brandName: '3 Ravens' }, 'ravens-dev'],
    [{ brandName: 'A name that is a good deal longer' }, 'a-name-that-is-a-good-de-dev'],
    [{ stage: 'pr-12' }, 'juno-pr-12'],
  ])('names the stacks of %j %s', (context, prefix) => {
    expect(read(context).prefix).toBe(prefix)
  })

  it('accepts the deployment’s models, including the default one', () => {
    const models = [{ id: 'a' }, { id: 'b', efforts: ['low'] }]
    expect(read({ models: JSON.stringify(models) })).toMatchObject({ openaiModel: 'a', models })
    expect(read({ models, openaiModel: 'c' })).toMatchObject({
      openaiModel: 'c',
      models: [{ id: 'c' }, ...models],
    })
    expect(read({ models, openaiBaseUrl: 'https://models.example.org/v1' }).openaiModel).toBe('a')
  })

  it('names no model where the server lists them', () => {
    expect(read({ openaiBaseUrl: 'https://models.example.org/v1' })).toMatchObject({
      openaiModel: undefined,
      models: [],
    })
  })

  it('accepts numbers as text, as the command line gives them, and an empty value as none', () => {
    expect(
      read({ recoveryDays: '1', logRetentionDays: '365', rateLimitFactor: '0.5', openaiModel: '' }),
    ).toMatchObject({
      recoveryDays: 1,
      logRetentionDays: 365,
      rateLimitFactor: 0.5,
      openaiModel: 'gpt-6.1-terra',
    })
  })

  it.each([
    ['on', true],
    ['off', false],
    [true, true],
    [false, false],
  ])('accepts a switch from the command line and from cdk.json: %j', (value, expected) => {
    expect(read({ waf: value, accessLogs: value, keepData: value, monitoring: value })).toMatchObject({
      monitoring: expected,
      waf: expected,
      accessLogs: expected,
      keepData: expected,
    })
  })

  it.each([
    [{ certificateArn }, { certificateArn, hostedZoneId: undefined }],
    [{ hostedZoneId: 'Z1D633PJN98FT9' }, { certificateArn: undefined, hostedZoneId: 'Z1D633PJN98FT9' }],
    [
      { certificateArn, hostedZoneId: 'Z1D633PJN98FT9' },
      { certificateArn, hostedZoneId: 'Z1D633PJN98FT9' },
    ],
  ])('accepts a domain with %j', (settings, expected) => {
    expect(read({ domainName: 'chat.example.org', ...settings }).domain).toEqual({
      name: 'chat.example.org',
      ...expected,
    })
  })

  it.each([
    ['Tools.internal:8443, 10.0.0.5:80', 'tools.internal:8443,10.0.0.5:80'],
    [['tools.internal:8443', '[fd00::5]:443'], 'tools.internal:8443,[fd00::5]:443'],
    [' , ', undefined],
  ])('accepts allowed addresses as text or as a list: %j', (outboundAllow, expected) => {
    expect(read({ outboundAllow }).outboundAllow).toBe(expected)
  })

  it.each([
    ['', 'closed', []],
    ['open', 'open', []],
    ['Example.com, bücher.example', 'domains', ['example.com', 'xn--bcher-kva.example']],
    [['example.com'], 'domains', ['example.com']],
  ])('reads who may sign up from %j, nobody without a value (H6)', (signUp, mode, domains) => {
    expect(read({ signUp }).signUp).toEqual({ mode, domains })
  })

  it('accepts limits per user and for all', () => {
    const limits = {
      tokensPerDay: 100_000,
      repliesAtOnce: 2,
      imagesPerDay: 0,
      siteTokensPerDay: 1_000_000,
      storageGbPerUser: 0.5,
      chatConcurrency: 20,
      minPasswordCharacters: 99,
    }
    expect(
      read(Object.fromEntries(Object.entries(limits).map(([key, value]) => [key, String(value)]))),
    ).toMatchObject(limits)
  })

  it('INFRA-03 accepts Google with its client id and the name of the secret', () => {
    expect(read({ googleClientId: 'id', googleSecretName: 'team/google' }).google).toEqual({
      clientId: 'id',
      secretName: 'team/google',
    })
  })

  it.each([
    [
      { googleClientId: 'id' },
      'Context googleSecretName is missing: googleClientId is set, and the two belong together.',
    ],
    [
      { googleSecretName: 's' },
      'Context googleClientId is missing: googleSecretName is set, and the two belong together.',
    ],
    [
      { sesIdentity: 'domain' },
      'Context sesSender is missing: sesIdentity is set, and the two belong together.',
    ],
    [{ sesSender: 'nobody' }, 'Context sesSender must be an e-mail address.'],
    [{ sesSender: 'a@example.org', sesIdentity: 'x' }, 'Context sesIdentity must be domain or address'],
    [{ stage: 'Live' }, 'Context stage must be 2 to 16 lower case letters'],
    [{ stage: 'a-' }, 'Context stage must be 2 to 16 lower case letters'],
    [{ assistantName: '<b>' }, 'Context assistantName must be 1 to 40 letters'],
    [{ brandName: '東京' }, 'Context brandName must contain a Latin letter'],
    [
      { modelServer: 'vertex' },
      'Context modelServer must be openai or bedrock: whether the model takes a key or a role.',
    ],
    [{ modelApi: 'soap' }, 'Context modelApi must be auto, responses, chat or messages.'],
    [{ modelSilenceSeconds: '601' }, 'Context modelSilenceSeconds must be a whole number from 1 to 600.'],
    [{ modelServer: 'bedrock' }, 'Context openaiModel is missing: modelServer is bedrock'],
    [
      { modelServer: 'bedrock', openaiModel: 'gpt-6.1-terra' },
      'Context openaiModel must name models as Bedrock does, by model id, inference profile id or ARN ("gpt-6.1-terra" is not).',
    ],
    [
      { modelServer: 'bedrock', models: '[{"id":"us.anthropic.claude-sonnet-5"},{"id":"sonnet"}]' },
      'Context models must name models as Bedrock does, by model id, inference profile id or ARN ("sonnet" is not).',
    ],
    [
      {
        modelServer: 'bedrock',
        openaiModel: 'us.openai.gpt-6-sol',
        openaiBaseUrl: 'https://models.example.org/v1',
        modelKeySecretName: 'team/model',
        openaiImageModel: 'gpt-image-2.6-flare',
      },
      'Context openaiBaseUrl must not be set: modelServer is bedrock, whose address follows from the region. Context modelKeySecretName must not be set: modelServer is bedrock, which takes no key but a role. Context openaiImageModel must not be set:',
    ],
    [
      { models: '[{"id":"a","api":"soap"},{"name":"b"}]' },
      'Context models.0.api must be responses, chat or messages. Context models.1.id must be the name of a model.',
    ],
    [{ models: 'gpt' }, 'Context models must be a list of models, in JSON.'],
    [
      { openaiBaseUrl: 'models.example.org' },
      'Context openaiBaseUrl must be a URL such as https://api.example.com/v1.',
    ],
    [{ openaiBaseUrl: 'ftp://models.example.org' }, 'Context openaiBaseUrl must be a URL'],
    [
      { modelKeySecretName: 'a b' },
      'Context modelKeySecretName must be the name of a Secrets Manager secret.',
    ],
    [{ logRetentionDays: '31' }, 'Context logRetentionDays must be one of 1, 3, 5, 7, 14, 30'],
    [{ logRetentionDays: 'month' }, 'Context logRetentionDays must be a number of days.'],
    [{ recoveryDays: '0' }, 'Context recoveryDays must be a whole number from 1 to 35.'],
    [{ recoveryDays: '36' }, 'Context recoveryDays must be a whole number from 1 to 35.'],
    [{ recoveryDays: '2.5' }, 'Context recoveryDays must be a whole number from 1 to 35.'],
    [{ domainName: 'https://chat.example.org' }, 'Context domainName must be a host name such as'],
    [{ domainName: 'localhost' }, 'Context domainName must be a host name such as chat.example.org.'],
    [{ domainName: `${'a'.repeat(57)}.example` }, 'Context domainName must be a host name'],
    [
      { domainName: 'chat.example.org' },
      'Context hostedZoneId is missing: domainName is set, and its certificate is either given as certificateArn or made with the help of its hosted zone.',
    ],
    [
      { certificateArn },
      'Context domainName is missing: certificateArn is set, and the two belong together.',
    ],
    [
      { hostedZoneId: 'Z1D633PJN98FT9' },
      'Context domainName is missing: hostedZoneId is set, and the two belong together.',
    ],
    [
      {
        domainName: 'chat.example.org',
        certificateArn: certificateArn.replace('us-east-1', 'eu-west-1'),
      },
      'Context certificateArn must be the ARN of a certificate in us-east-1, because CloudFront accepts no other.',
    ],
    [
      { domainName: 'chat.example.org', hostedZoneId: 'example.org' },
      'Context hostedZoneId must be the id of a hosted zone in Route 53, such as Z1D633PJN98FT9.',
    ],
    [{ waf: 'maybe' }, 'Context waf must be on or off.'],
    [
      { outsideCheck: 'on', domainName: 'chat.example.org', certificateArn },
      'Context alarmEmail is missing: outsideCheck is set, and the two belong together.',
    ],
    [
      { outsideCheck: 'on', alarmEmail: 'team@example.org' },
      'Context domainName is missing: outsideCheck is set, and the two belong together.',
    ],
    [{ waf: 'true' }, 'Context waf must be on or off.'],
    [{ accessLogs: 'yes' }, 'Context accessLogs must be on or off.'],
    [{ keepData: 1 }, 'Context keepData must be on or off.'],
    [{ vault: 'kms' }, 'Context vault must be secrets or table: where credentials are stored.'],
    [
      { outboundAllow: 'tools.internal' },
      'Context outboundAllow must be a list of host:port with commas between them ("tools.internal" is not).',
    ],
    [
      { outboundAllow: 'a.example:443,https://b.example:443' },
      'Context outboundAllow must be a list of host:port with commas between them ("https://b.example:443" is not).',
    ],
    [{ outboundAllow: 'a.example:70000' }, '("a.example:70000" is not).'],
    [{ outboundAllow: 'a.example:0' }, '("a.example:0" is not).'],
    [{ outboundAllow: { host: 'a' } }, 'Context outboundAllow must be a list of host:port.'],
    [
      { outboundAllow: Array.from({ length: 60 }, (_, index) => `server-${index}.example:443`) },
      'Context outboundAllow must not be longer than 1,000 characters.',
    ],
    [
      { signUp: 'example' },
      'Context signUp must be open, closed, or e-mail domains with commas between them, such as example.org ("example" is not).',
    ],
    [{ signUp: 'open,example.com' }, '("open" is not).'],
    [{ signUp: true }, 'Context signUp must be open, closed, or e-mail domains with commas between them.'],
    [{ minPasswordCharacters: '5' }, 'Context minPasswordCharacters must be a whole number from 6 to 99.'],
    [{ minPasswordCharacters: '100' }, 'Context minPasswordCharacters must be a whole number from 6 to 99.'],
    [{ tokensPerDay: '0' }, 'Context tokensPerDay must be a whole number of at least 1.'],
    [{ imagesPerDay: '-1' }, 'Context imagesPerDay must be a whole number of at least 0.'],
    [{ siteTokensPerDay: '0' }, 'Context siteTokensPerDay must be a whole number of at least 1.'],
    [{ storageGbPerUser: '0' }, 'Context storageGbPerUser must be a number above 0.'],
    [{ repliesAtOnce: 'many' }, 'Context repliesAtOnce must be a whole number of at least 1.'],
    [{ chatConcurrency: '1.5' }, 'Context chatConcurrency must be a whole number of at least 1.'],
    [{ alarmEmail: 'ops' }, 'Context alarmEmail must be an e-mail address.'],
    [
      { alarmEmail: 'ops@example.org', monitoring: 'off' },
      'Context alarmEmail has no effect: monitoring is off, and with it the alarms.',
    ],
    [
      { canary: 'on', monitoring: 'off' },
      'Context canary needs monitoring: its alarm says whether the new version works.',
    ],
    [{ domianName: 'chat.example.org' }, 'Context domianName is not known.'],
    [{ rateLimitFactor: '0' }, 'Context rateLimitFactor must be a number above 0.'],
    [
      { brandName: 'Amazonia', googleClientId: 'id', googleSecretName: 's' },
      'Context brandName and stage must not contain "amazon"',
    ],
  ])('refuses %j and names the key', (context, message) => {
    expect(() => read(context)).toThrow(message)
  })

  it('ignores context keys of the CDK and of its command line', () => {
    const cdkContext = { '@aws-cdk/core:x': true, 'aws:cdk:y': [], 'cli-telemetry': false }
    expect(read(cdkContext)).toEqual(read())
    expect(configKeys.filter((key) => !/^[A-Za-z]+$/.test(key))).toEqual([])
  })

  it.each(['a', '-live', 'live-', 'Live', '1a', 'a_b', 'a.b', 'a'.repeat(17)])(
    'INFRA-01 refuses the stage %j, which is invalid for CloudFormation or in a derived name',
    (stage) => {
      expect(() => read({ stage })).toThrow('Context stage must be 2 to 16 lower case letters')
    },
  )

  it.each([
    ['ab', 'A'],
    ['a--b', 'Café Zoë & Söhne'],
    ['a'.repeat(16), 'A name that is a good deal longer'],
  ])(
    'INFRA-01 accepts the stage %j and the brand %j, which give valid names for CloudFormation',
    (stage, brandName) => {
      // CreateStack: letters, digits and hyphens, a letter first, at most 128 characters
      expect(`${read({ stage, brandName }).prefix}-data`).toMatch(/^[A-Za-z][A-Za-z0-9-]{0,127}$/)
    },
  )

  it('reports all errors at once', () => {
    expect(() => read({ stage: '1', recoveryDays: '99' })).toThrow(/Context stage .* Context recoveryDays /)
  })
})

it.each([
  [{ webSearch: 'bing' }, 'webSearch must be one of brave, tavily, searxng'],
  [{ webSearch: 'brave' }, 'webSearchKeySecretName is missing'],
  [{ webSearch: 'searxng' }, 'webSearchUrl is missing'],
  [{ webSearchUrl: 'https://search.example.com' }, 'webSearch is missing'],
])('a search service has what it needs: %j', (context, problem) => {
  const node = { tryGetContext: (key: string): unknown => (context as Record<string, unknown>)[key] }
  expect(() => readConfig(node)).toThrow(problem)
})
