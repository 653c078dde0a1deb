import { publicFunction } from '../platform/http/public-function.ts'

const version = process.env['PRODUCT_VERSION']
if (!version) throw new Error('The environment has no PRODUCT_VERSION.')

/** Tells that the product answers, and which version: public, touches nothing. */
export const handler = publicFunction('health', async () => ({ ok: true, version }))
