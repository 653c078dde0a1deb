import { expect, it } from 'vitest'
import { isMissingObject } from './missing-object.ts'

const denied = (action: string) =>
  `User: arn:aws:sts::123456789012:assumed-role/chat/chat is not authorized to perform: ${action} on resource: "arn:aws:s3:::uploads/a" because no identity-based policy allows the ${action} action`

it.each([
  [404, 'NoSuchKey', 'The specified key does not exist.', true],
  [412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', true],
  [416, 'InvalidRange', 'The requested range is not satisfiable', true],
  [403, 'AccessDenied', 'Access Denied', true],
  [403, 'AccessDenied', denied('s3:ListBucket'), true],
  [403, 'AccessDenied', denied('s3:GetObject'), false],
  [403, 'AccessDenied', denied('kms:Decrypt'), false],
  [403, 'AccessDenied', 'The ciphertext refers to a customer master key of KMS that is disabled', false],
  [403, 'AccessDenied', 'Request has expired', false],
  [
    403,
    'RequestTimeTooSkewed',
    'The difference between the request time and the current time is too large.',
    false,
  ],
  [403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match', false],
  [403, 'InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.', false],
  [403, 'KMS.DisabledException', 'the key is disabled', false],
  [503, 'SlowDown', 'Please reduce your request rate.', false],
])('a response %s %s "%s" means a missing object: %s', (status, code, message, isMissing) => {
  expect(isMissingObject({ status, code, message })).toBe(isMissing)
})
