import { GetCallerIdentityCommand, STSClient, STSServiceException } from '@aws-sdk/client-sts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { checkIdentity, checkRegion, resolveRegion } from './identity.ts'

/** never over, unless a test says so */
const { wait } = vi.hoisted(() => ({
  wait: vi.fn<(ms: number, options?: object) => Promise<void>>(() => new Promise(() => undefined)),
}))
vi.mock('../../../functions/platform/clock.ts', () => ({ wait }))

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
    [
      localError('CredentialsProviderError', 'Could not load credentials from any providers'),
      /^none found/,
      /^Set AWS_ACCESS_KEY_ID .* AWS_PROFILE chooses/,
    ],
    [
      localError(
        'CredentialsProviderError',
        'Could not resolve credentials using profile: [ann] in configuration/credentials file(s).',
      ),
      /^none found/,
      /^Set AWS_ACCESS_KEY_ID .* AWS_PROFILE chooses/,
    ],
    [
      localError(
        'CredentialsProviderError',
        "The SSO session associated with this profile has expired. To refresh this SSO session run 'aws sso login' with the corresponding profile.",
      ),
      /^expired/,
      /^aws sso login, aws login, or new values/,
    ],
    [
      stsError('ExpiredToken', 'The security token included in the request is expired'),
      /^expired/,
      /^aws sso login, aws login, or new values/,
    ],
    [
      stsError('ExpiredTokenException', 'The security token is past its time'),
      /^expired/,
      /^aws sso login, aws login, or new values/,
    ],
    [
      stsError('InvalidClientTokenId', 'The security token included in the request is invalid.'),
      /^AWS does not know/,
      /^Check the access key .* the region is one that the account has enabled/,
    ],
    [
      stsError('UnrecognizedClientException', 'The security token included in the request is invalid.'),
      /^AWS does not know/,
      /^Check the access key .* the region is one that the account has enabled/,
    ],
    [
      stsError('SignatureDoesNotMatch', 'The request signature we calculated does not match'),
      /^the secret does not belong/,
      /^aws sso login, aws login, or new values/,
    ],
    [
      stsError('AccessDenied', 'User: x is not authorized to perform: sts:AssumeRole on resource: y'),
      /^denied/,
      /^Let the trust policy of the role allow .* export AWS_PROFILE/,
    ],
    [
      Object.assign(new Error('getaddrinfo ENOTFOUND sts.eu-west-1.amazonaws.com'), { code: 'ENOTFOUND' }),
      /^AWS could not be reached/,
      /^Check the network and any proxy/,
    ],
    [
      localError('TimeoutError', 'socket timed out'),
      /^AWS could not be reached/,
      /^Check the network and any proxy/,
    ],
    [
      Object.assign(new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })])),
      /^AWS could not be reached/,
      /^Check the network and any proxy/,
    ],
    [
      stsError('ServiceUnavailable', 'try later'),
      /^ServiceUnavailable: try later/,
      /^Fix this and run npm run doctor again/,
    ],
  ])('explains %s', async (error, found, next) => {
    sts.on(GetCallerIdentityCommand).rejects(error)
    const { account, finding } = await checkIdentity('eu-west-1')
    expect(account).toBeUndefined()
    expect(finding.level).toBe('problem')
    expect(finding.found).toMatch(found)
    expect(finding.next).toMatch(next)
  })

  it('gives up on credentials that do not arrive', async () => {
    sts.on(GetCallerIdentityCommand).callsFake(() => new Promise(() => {}))
    wait.mockResolvedValueOnce(undefined)
    expect((await checkIdentity('eu-west-1')).finding).toMatchObject({
      level: 'problem',
      found: expect.stringContaining('no answer in 15 s') as string,
    })
    expect(wait).toHaveBeenLastCalledWith(15_000, expect.anything())
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
