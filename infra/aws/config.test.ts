import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const read = (context: Record<string, unknown> = {}) =>
  readConfig({ tryGetContext: (key: string) => context[key] })

describe('readConfig', () => {
  it('needs no context', () => {
    expect(read()).toEqual({
      stage: 'dev',
      assistantName: 'Juno',
      brandName: 'Juno',
      brand: 'juno',
      prefix: 'juno-dev',
      openaiBaseUrl: undefined,
      openaiModel: 'gpt-5-mini',
      openaiImageModel: 'gpt-image-1',
      modelKeySecretName: undefined,
      google: undefined,
      ses: undefined,
      githubTokenSecretName: undefined,
      rateLimitFactor: 1,
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

  it('takes numbers as text, as the command line gives them, and an empty value as none', () => {
    expect(
      read({ recoveryDays: '1', logRetentionDays: '365', rateLimitFactor: '0.5', openaiModel: '' }),
    ).toMatchObject({
      recoveryDays: 1,
      logRetentionDays: 365,
      rateLimitFactor: 0.5,
      openaiModel: 'gpt-5-mini',
    })
  })

  it('INFRA-03 takes Google by its client id and the name of the secret', () => {
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
    [{ brandName: '東京' }, 'Context brandName must hold a Latin letter'],
    [
      { openaiBaseUrl: 'https://models.example.org/v1' },
      'Context openaiModel is missing: openaiBaseUrl is set',
    ],
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
    [{ recoveryDays: '0' }, 'Context recoveryDays must be 1 to 35.'],
    [{ recoveryDays: '36' }, 'Context recoveryDays must be 1 to 35.'],
    [{ recoveryDays: '2.5' }, 'Context recoveryDays must be 1 to 35.'],
    [{ rateLimitFactor: '0' }, 'Context rateLimitFactor must be a number above 0.'],
    [
      { brandName: 'Amazonia', googleClientId: 'id', googleSecretName: 's' },
      'Context brandName and stage must not contain "amazon"',
    ],
  ])('refuses %j and names the key', (context, sentence) => {
    expect(() => read(context)).toThrow(sentence)
  })

  it('tells all that is wrong at once', () => {
    expect(() => read({ stage: '1', recoveryDays: '99' })).toThrow(/Context stage .* Context recoveryDays /)
  })
})
