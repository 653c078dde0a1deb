import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts'
import { errorName, isDenied } from '../doctor/finding.ts'
import { clientOptions } from '../doctor/identity.ts'

/** An account and region, as the CDK calls them. */
export interface Environment {
  readonly account: string
  readonly region: string
}

/** The bucket of the CDK's bootstrap: templates and assets of all deployments to an account and region. */
export const bootstrapBucket = ({ account, region }: Environment) =>
  `cdk-hnb659fds-assets-${account}-${region}`

/**
 * Credentials of the role with which the CDK deploys, which may update stacks and read the bootstrap's bucket.
 * @returns undefined if the caller may not assume it: then, as with the CDK, the caller's own credentials have to do
 */
export async function assumeDeployRole({ account, region }: Environment) {
  const RoleArn = `arn:aws:iam::${account}:role/cdk-hnb659fds-deploy-role-${account}-${region}`
  try {
    const { Credentials } = await new STSClient(clientOptions(region)).send(
      new AssumeRoleCommand({ RoleArn, RoleSessionName: 'deploy-back' }),
    )
    const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken } = Credentials ?? {}
    if (!accessKeyId || !secretAccessKey) return undefined
    return { accessKeyId, secretAccessKey, ...(SessionToken && { sessionToken: SessionToken }) }
  } catch (error) {
    if (isDenied(error) || errorName(error) === 'NoSuchEntity') return undefined
    throw error
  }
}
