import { randomUUID } from 'node:crypto'

/** S3's errors by code: status, and what it says if a case has no message of its own. */
const errors = {
  AccessDenied: [403, 'Access Denied'],
  AccessForbidden: [403, 'CORSResponse: This CORS request is not allowed.'],
  AuthorizationQueryParametersError: [400, 'X-Amz-Expires must be between 1 and 604800'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed size'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed size'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The AWS Access Key Id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidPart: [
    400,
    "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
  ],
  InvalidPartOrder: [
    400,
    'The list of parts was not in ascending order. Parts must be ordered by part number.',
  ],
  InvalidPolicyDocument: [400, 'Invalid Policy'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidToken: [400, 'The provided token is malformed or otherwise invalid.'],
  MalformedPOSTRequest: [400, 'The body of your POST request is not well-formed multipart/form-data.'],
  MalformedXML: [
    400,
    'The XML you provided was not well-formed or did not validate against our published schema',
  ],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchUpload: [
    404,
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  ],
  NotImplemented: [501, 'A header you provided implies functionality that is not implemented'],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and the current time is too large.'],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  ],
} as const

type Members = Readonly<Record<string, string | number>>

/** An S3 error: XML with a code, a message, and further members by kind. */
export class S3Error extends Error {
  readonly code: keyof typeof errors
  readonly status: number
  readonly members: Members

  constructor(code: keyof typeof errors, members: Members = {}, message: string = errors[code][1]) {
    super(message)
    this.code = code
    this.status = errors[code][0]
    this.members = members
  }
}

export const accessDenied = (message: string, members?: Members) =>
  new S3Error('AccessDenied', members, message)

const escapeXml = (text: string) => text.replace(/[<>&"\r]/g, (character) => `&#${character.charCodeAt(0)};`)

/** @param children names and texts, or lists of elements made by this function */
export function element(name: string, children: string | readonly string[]): string {
  const content = typeof children === 'string' ? escapeXml(children) : children.join('')
  return `<${name}>${content}</${name}>`
}

export const xmlDocument = (root: string) => `<?xml version="1.0" encoding="UTF-8"?>\n${root}`

export function errorXml({ code, message, members }: S3Error): string {
  const children = Object.entries(members).map(([name, value]) => element(name, String(value)))
  return xmlDocument(
    element('Error', [
      element('Code', code),
      element('Message', message),
      ...children,
      element('RequestId', randomUUID()),
      element('HostId', 'local'),
    ]),
  )
}
