import { ArnFormat, Stack } from 'aws-cdk-lib'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'

/** A secret for functions: its name for reading, and its ARN for the permission. */
export interface SecretReference {
  /** a name or an ARN: Secrets Manager accepts both */
  readonly secretId: string
  readonly arn: string
}

/** A secret that the stacks create. */
export const ownSecret = ({ secretArn }: Secret): SecretReference => ({ secretId: secretArn, arn: secretArn })

/** A secret that the operator created. Its ARN ends in six random characters that only Secrets Manager knows. */
export const existingSecret = (scope: Construct, name: string): SecretReference => ({
  secretId: name,
  arn: Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${name}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  }),
})
