import type { Config } from './config.ts'

/** The only region from which CloudFront accepts certificates and web ACLs, and to which Route 53 reports its health checks. */
export const edgeRegion = 'us-east-1'

/** Whether a deployment needs resources in that region. */
export const needsEdge = ({ domain, waf, outsideCheck }: Config) =>
  waf || outsideCheck || (domain !== undefined && domain.certificateArn === undefined)
