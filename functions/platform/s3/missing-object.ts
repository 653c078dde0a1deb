/**
 * Whether an error response of S3 means that the object does not exist. Without permission to list a bucket, S3 answers 403 AccessDenied
 * for a missing object; other refusals (a key policy of KMS, an expired link, a wrong clock or signature) are failures. 412: the object
 * was replaced, so that the expected one is missing. 416: it ends before the range.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html#API_GetObject_Permissions
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/troubleshoot-403-errors.html messages that name the denied action
 */
export function isMissingObject({
  status,
  code,
  message,
}: {
  status: number
  code: string
  message: string
}): boolean {
  if (status === 404 || status === 412 || status === 416) return true
  if (status !== 403 || code !== 'AccessDenied') return false
  const deniedAction = /not authorized to perform: ([\w:]{1,100})/.exec(message)?.[1] ?? 's3:ListBucket'
  return deniedAction === 's3:ListBucket' && !/request has expired|\bkms\b/i.test(message)
}
