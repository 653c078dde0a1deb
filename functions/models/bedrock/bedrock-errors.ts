import { parseJson } from '#shared/parse-json.ts'
/** What an operator can do about an error, first match wins. */
const explanations: readonly { match: RegExp; status?: number; explain: string }[] = [
  {
    match: /signature (expired|not yet current)|RequestTimeTooSkewed/i,
    explain: 'The time of the signature differs from that of AWS: set the clock of the machine that signs.',
  },
  {
    match:
      /security token.*(invalid|expired)|UnrecognizedClient|CredentialsProviderError|InvalidClientTokenId|ExpiredToken/i,
    explain: 'AWS does not accept the credentials: renew them.',
  },
  {
    match: /signature|IncompleteSignature|MissingAuthenticationToken|credential should be scoped/i,
    explain:
      'AWS rejected the signature: check the region, the credentials and AWS_ENDPOINT_URL_BEDROCK_RUNTIME.',
  },
  {
    match: /aws-marketplace|don't have access to the model|model access|use case details/i,
    explain:
      'Model access is not enabled for this account: open the model once in the Amazon Bedrock console, as an administrator.',
  },
  {
    match: /not authorized to perform|AccessDenied/i,
    explain:
      "The function's role lacks the IAM permission for this model: deploy again with the model in openaiModel or MODELS, and look for a service control policy that denies it.",
  },
  {
    match: /on-demand throughput isn.t supported/i,
    status: 404,
    explain:
      'This model is called through an inference profile: put its geography before the id, such as us., eu. or global.',
  },
  {
    match:
      /model identifier is invalid|end of its life|model.*not (found|supported|available)|ResourceNotFound/i,
    status: 404,
    explain:
      'Bedrock does not have this model in this region: check the id on the model’s page, or choose a profile or a region that has it.',
  },
]

/**
 * What an operator can do about an answer of Bedrock, and the status that its callers get: a wrong id is an invalid request
 * for Bedrock, and a missing model for everybody else.
 * @param type the error's name, as in `x-amzn-errortype`
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html
 */
export function explainBedrockError(
  status: number,
  type: string,
  message: string,
): { status: number; explanation: string | undefined } {
  const found =
    status < 500 && status !== 429
      ? explanations.find(({ match }) => match.test(`${type} ${message}`))
      : undefined
  return { status: found?.status ?? status, explanation: found?.explain }
}

/** Each error of AWS names its type in a header, with an address behind a colon. */
const readType = (headers: Headers) => (headers.get('x-amzn-errortype') ?? '').split(':')[0] ?? ''

interface ErrorBody {
  message?: unknown
  /** as IAM's own layer writes it */
  Message?: unknown
  error?: { message?: unknown; param?: unknown; type?: unknown }
}

function parseBody(text: string): ErrorBody {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? value : {}
}

/**
 * An error of Bedrock in the form of the models' APIs, with what to do about it. Errors of the model's own API have that form
 * already; those of AWS have `message`, and their name in a header.
 */
export async function translateBedrockError(response: Response): Promise<Response> {
  const text = await response.text()
  const body = parseBody(text)
  const type = readType(response.headers)
  const sent = body.error?.message ?? body.message ?? body.Message
  const message = (typeof sent === 'string' ? sent : text).slice(0, 1_000)
  const { status, explanation } = explainBedrockError(response.status, type, message)
  const headers = new Headers(response.headers)
  for (const name of ['content-length', 'content-encoding']) headers.delete(name)
  headers.set('content-type', 'application/json')
  const error = {
    type: type || 'bedrock_error',
    code: type || null,
    param: null,
    ...body.error,
    message: explanation ? `${explanation} (${message})` : message,
  }
  return new Response(JSON.stringify({ type: 'error', error }), { status, headers })
}
