import * as z from 'zod'
import { OperatorError } from '../aws/operator-error.ts'
import type { Deployment } from './find-deployment.ts'

/** The fields of the page's config.json that commands read. */
export const pageConfig = z.object({
  dictation: z.boolean().optional(),
  region: z.string(),
  userPoolId: z.string(),
  userPoolClientId: z.string(),
  userPoolEndpoint: z.string().optional(),
  /** absent: passwords are enabled */
  passwordSignIn: z.boolean().optional(),
  version: z.string(),
})

export type PageConfig = z.output<typeof pageConfig>

/** @throws OperatorError if the page belongs to another user pool */
export async function fetchPageConfig({
  origin,
  userPoolId,
}: Pick<Deployment, 'origin' | 'userPoolId'>): Promise<PageConfig> {
  const config = pageConfig.parse(await (await fetch(`${origin}/config.json`)).json())
  if (config.userPoolId !== userPoolId)
    throw new OperatorError(
      `${origin} signs in at another user pool than ${userPoolId}: deploy the web stack again.`,
    )
  return config
}
