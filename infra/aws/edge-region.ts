import type { Config } from './config.ts'

/** The only region from which CloudFront accepts certificates and web ACLs. */
export const edgeRegion = 'us-east-1'

/** Whether a deployment needs resources in that region. */
export const needsEdge = ({ domain, waf }: Config) =>
  waf || (domain !== undefined && domain.certificateArn === undefined)
