import { ArnFormat, Stack } from 'aws-cdk-lib'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'

/** A secret as functions need it: the name they read it by, the ARN (or pattern) that they may read. */
export interface SecretReference {
  readonly name: string
  readonly arn: string
}

export const ownSecret = ({ secretName, secretArn }: Secret): SecretReference => ({
  name: secretName,
  arn: secretArn,
})

/** A secret that an operator made. Its ARN ends in six random characters that only Secrets Manager knows. */
export const existingSecret = (scope: Construct, name: string): SecretReference => ({
  name,
  arn: Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${name}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  }),
})
