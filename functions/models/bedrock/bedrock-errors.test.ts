import { describe, expect, it } from 'vitest'
import { explainBedrockError, translateBedrockError } from './bedrock-errors.ts'

describe('the log tells an operator what to do:', () => {
  it.each([
    ['set the clock', 403, 'Signature expired: 20261120 is now earlier than 20261121'],
    ['set the clock', 403, 'Signature not yet current'],
    ['set the clock', 403, 'RequestTimeTooSkewed'],
    ['renew them', 403, 'The security token included in the request is invalid.'],
    ['renew them', 403, 'The security token included in the request is expired'],
    ['renew them', 403, 'UnrecognizedClientException'],
    ['renew them', 400, 'CredentialsProviderError'],
    ['renew them', 403, 'InvalidClientTokenId'],
    ['renew them', 403, 'ExpiredTokenException'],
    ['rejected the signature', 403, 'The request signature we calculated does not match'],
    ['rejected the signature', 400, 'IncompleteSignature'],
    ['rejected the signature', 403, 'MissingAuthenticationTokenException'],
    ['rejected the signature', 403, 'Credential should be scoped to a valid region'],
    [
      'Model access',
      403,
      'not authorized to perform the required AWS Marketplace actions (aws-marketplace:Subscribe)',
    ],
    ['Model access', 403, "You don't have access to the model"],
    ['Model access', 403, 'model access is denied'],
    ['Model access', 404, 'Model use case details have not been submitted'],
    ['IAM permission', 403, 'is not authorized to perform: bedrock:InvokeModel'],
    ['IAM permission', 403, 'AccessDeniedException'],
  ])('"%s" for %i %s', (reason, status, message) => {
    const { status: reportedStatus, explanation } = explainBedrockError(status, '', message)
    expect(reportedStatus).toBe(status)
    expect(explanation).toContain(reason)
    expect(explainBedrockError(status, message, '').explanation).toBe(explanation)
  })

  it.each([
    ['inference profile', 'Invocation with on-demand throughput isn’t supported.'],
    ['in this region', 'The provided model identifier is invalid.'],
    ['in this region', 'This model version has reached the end of its life.'],
    ['in this region', 'The model m is not found'],
    ['in this region', 'Model m is not supported'],
    ['in this region', 'model m is not available'],
    ['in this region', 'ResourceNotFoundException'],
  ])('"%s" for a model that is missing: %s', (reason, message) => {
    expect(explainBedrockError(400, '', message)).toEqual({
      status: 404,
      explanation: expect.stringContaining(reason) as string,
    })
  })

  it.each([429, 500, 503])('nothing while the service is overloaded or fails: %i', (status) => {
    expect(explainBedrockError(status, 'AccessDeniedException', '')).toEqual({
      status,
      explanation: undefined,
    })
  })

  it('for 499, the last status of client errors, too', () => {
    expect(explainBedrockError(499, 'AccessDeniedException', '').explanation).toBeDefined()
  })
})

describe('an error of Bedrock', () => {
  const translate = async (body: string, headers: Record<string, string> = {}) => {
    const response = await translateBedrockError(new Response(body, { status: 418, headers }))
    return { headers: Object.fromEntries(response.headers), body: (await response.json()) as object }
  }

  it.each([
    ['{"message":"no"}', 'no'],
    ['{"Message":"No"}', 'No'],
    ['{"error":{"message":"none"},"message":"no"}', 'none'],
    ['null', 'null'],
    ['3', '3'],
    ['plain', 'plain'],
    [`{"message":3,"x":"${'y'.repeat(2_000)}"}`, `{"message":3,"x":"${'y'.repeat(2_000)}"}`.slice(0, 1_000)],
  ])('has the message of %s', async (body, message) => {
    const error = { type: 'bedrock_error', code: null, param: null, message }
    expect((await translate(body)).body).toEqual({ type: 'error', error })
  })

  it('has the type from its header, without the URL, and headers that match the new body', async () => {
    const headers = {
      'x-amzn-errortype': 'TeapotException:http://internal.amazon.com/',
      'content-type': 'text/plain',
      'content-length': '3',
      'content-encoding': 'identity',
      'x-amzn-requestid': 'r1',
    }
    expect(await translate('{"message":"no"}', headers)).toEqual({
      headers: {
        'x-amzn-errortype': headers['x-amzn-errortype'],
        'content-type': 'application/json',
        'x-amzn-requestid': 'r1',
      },
      body: {
        type: 'error',
        error: { type: 'TeapotException', code: 'TeapotException', param: null, message: 'no' },
      },
    })
  })

  it('of the model’s own API keeps its fields', async () => {
    const error = { type: 'invalid_request_error', code: 'c', param: 'max_tokens', message: 'no' }
    expect((await translate(JSON.stringify({ error }))).body).toEqual({ type: 'error', error })
  })
})
