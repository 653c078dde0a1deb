import { Duration } from 'aws-cdk-lib'
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  type ResponseCustomHeader,
  type ResponseHeadersPolicyProps,
  type ResponseSecurityHeadersBehavior,
} from 'aws-cdk-lib/aws-cloudfront'

const requireKnown = <Value extends string>(values: Record<string, Value>, value: string): Value => {
  const found = Object.values(values).find((candidate) => candidate.toLowerCase() === value.toLowerCase())
  if (!found) throw new Error(`CloudFront cannot send the header value "${value}".`)
  return found
}

/** The headers for which CloudFront has its own fields, and which it refuses among the custom ones. */
const fields: Readonly<Record<string, (value: string) => ResponseSecurityHeadersBehavior>> = {
  'content-security-policy': (value) => ({
    contentSecurityPolicy: { contentSecurityPolicy: value, override: true },
  }),
  'x-content-type-options': (value) => {
    requireKnown({ nosniff: 'nosniff' }, value)
    return { contentTypeOptions: { override: true } }
  },
  'x-frame-options': (value) => ({
    frameOptions: { frameOption: requireKnown(HeadersFrameOption, value), override: true },
  }),
  'referrer-policy': (value) => ({
    referrerPolicy: { referrerPolicy: requireKnown(HeadersReferrerPolicy, value), override: true },
  }),
  'strict-transport-security': (value) => {
    const maxAge = /^max-age=(\d+)/i.exec(value)?.[1]
    if (!maxAge) throw new Error(`CloudFront cannot send the header value "${value}".`)
    return {
      strictTransportSecurity: {
        accessControlMaxAge: Duration.seconds(Number(maxAge)),
        includeSubdomains: /includeSubDomains/i.test(value),
        override: true,
      },
    }
  },
}

const allowOrigin = 'access-control-allow-origin'

/** Anybody may read the response, without cookies: the meaning of `*`. CloudFront refuses it among the custom headers. */
const readableByAll: NonNullable<ResponseHeadersPolicyProps['corsBehavior']> = {
  accessControlAllowOrigins: ['*'],
  accessControlAllowHeaders: ['*'],
  accessControlAllowMethods: ['GET', 'HEAD'],
  accessControlAllowCredentials: false,
  originOverride: true,
}

/**
 * The product's security headers in CloudFront's format.
 * @param headers from security-headers.ts
 * @throws Error for a value that CloudFront cannot send
 */
export function responseHeaders(headers: Readonly<Record<string, string>>): ResponseHeadersPolicyProps {
  let securityHeadersBehavior: ResponseSecurityHeadersBehavior = {}
  const customHeaders: ResponseCustomHeader[] = []
  for (const [header, value] of Object.entries(headers)) {
    const field = fields[header.toLowerCase()]
    if (header.toLowerCase() === allowOrigin) requireKnown({ all: '*' }, value)
    else if (field) securityHeadersBehavior = { ...securityHeadersBehavior, ...field(value) }
    else customHeaders.push({ header, value, override: true })
  }
  return {
    securityHeadersBehavior,
    ...(Object.keys(headers).some((header) => header.toLowerCase() === allowOrigin) && {
      corsBehavior: readableByAll,
    }),
    ...(customHeaders.length > 0 && { customHeadersBehavior: { customHeaders } }),
  }
}
