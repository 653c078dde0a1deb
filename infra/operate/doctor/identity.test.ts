import { GetCallerIdentityCommand, STSClient, STSServiceException } from '@aws-sdk/client-sts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { checkIdentity, checkRegion, resolveRegion } from './identity.ts'

const sts = mockClient(STSClient)
afterEach(() => sts.reset())

const stsError = (name: string, message: string) =>
  new STSServiceException({ name, message, $fault: 'client', $metadata: {} })
const localError = (name: string, message: string) => Object.assign(new Error(message), { name })

describe('checkIdentity', () => {
  it('says whose the credentials are', async () => {
    sts
      .on(GetCallerIdentityCommand)
      .resolves({ Account: '123456789012', Arn: 'arn:aws:iam::123456789012:user/ann' })
    expect(await checkIdentity('eu-west-1')).toEqual({
      account: '123456789012',
      finding: { level: 'ok', found: 'account 123456789012 as arn:aws:iam::123456789012:user/ann.' },
    })
  })

  it.each([
    [localError('CredentialsProviderError', 'Could not load credentials from any providers'), /^none found/],
    [
      localError(
        'CredentialsProviderError',
        'Could not resolve credentials using profile: [ann] in configuration/credentials file(s).',
      ),
      /^none found/,
    ],
    [
      localError(
        'CredentialsProviderError',
        "The SSO session associated with this profile has expired. To refresh this SSO session run 'aws sso login' with the corresponding profile.",
      ),
      /^expired/,
    ],
    [stsError('ExpiredToken', 'The security token included in the request is expired'), /^expired/],
    [stsError('ExpiredTokenException', 'The security token is past its time'), /^expired/],
    [
      stsError('InvalidClientTokenId', 'The security token included in the request is invalid.'),
      /^AWS does not know/,
    ],
    [
      stsError('UnrecognizedClientException', 'The security token included in the request is invalid.'),
      /^AWS does not know/,
    ],
    [
      stsError('SignatureDoesNotMatch', 'The request signature we calculated does not match'),
      /^the secret does not belong/,
    ],
    [
      stsError('AccessDenied', 'User: x is not authorized to perform: sts:AssumeRole on resource: y'),
      /^denied/,
    ],
    [
      Object.assign(new Error('getaddrinfo ENOTFOUND sts.eu-west-1.amazonaws.com'), { code: 'ENOTFOUND' }),
      /^AWS could not be reached/,
    ],
    [localError('TimeoutError', 'socket timed out'), /^AWS could not be reached/],
    [
      Object.assign(new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })])),
      /^AWS could not be reached/,
    ],
    [stsError('ServiceUnavailable', 'try later'), /^ServiceUnavailable: try later/],
  ])('explains %s', async (error, found) => {
    sts.on(GetCallerIdentityCommand).rejects(error)
    const { account, finding } = await checkIdentity('eu-west-1')
    expect(account).toBeUndefined()
    expect(finding.level).toBe('problem')
    expect(finding.found).toMatch(found)
    expect(finding.next).toBeTruthy()
  })

  it('gives up on credentials that do not arrive', async () => {
    vi.useFakeTimers()
    try {
      sts.on(GetCallerIdentityCommand).callsFake(() => new Promise(() => {}))
      const check = checkIdentity('eu-west-1')
      await vi.advanceTimersByTimeAsync(15_000)
      expect((await check).finding.found).toContain('no answer in 15 s')
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('resolveRegion', () => {
  it('reads the variables in the CDK’s order', async () => {
    expect(await resolveRegion({ AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' })).toBe(
      'eu-west-1',
    )
    expect(await resolveRegion({ AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-west-2' })).toBe('eu-west-2')
  })

  it('is unknown if neither they nor a profile name one', async () => {
    sts.restore()
    vi.stubEnv('AWS_REGION', undefined)
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere/config')
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere/credentials')
    expect(await resolveRegion({})).toBeUndefined()
  })
})

describe('checkRegion', () => {
  it.each([
    ['eu-central-1', 'ok'],
    ['ap-southeast-2', 'ok'],
    [undefined, 'problem'],
    ['frankfurt', 'problem'],
    // opt-in regions: streamed replies may not work there
    ['eu-south-1', 'warning'],
    ['cn-north-1', 'warning'],
    ['us-gov-west-1', 'warning'],
  ])('%s: %s', (region, level) => {
    expect(checkRegion(region).level).toBe(level)
  })
})
