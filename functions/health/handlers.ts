import { healthRoute } from '#shared/health-route.ts'
import { publicFunction } from '../platform/http/public-function.ts'

const version = process.env['PRODUCT_VERSION']
if (!version) throw new Error('The environment has no PRODUCT_VERSION.')

/** Public health check with the product's version. */
export const handler = publicFunction('health', healthRoute, async () => ({ ok: true, version }))
