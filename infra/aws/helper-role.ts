import { CfnResource, RemovalPolicy, type Stack } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'

const logStatement = ({ logGroupArn }: LogGroup) => ({
  actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  resources: [logGroupArn],
})

/** A role for a helper function of the CDK, which may only write its log until granted more. */
export function helperRole(scope: Construct, id: string, logGroup: LogGroup): Role {
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    description: 'Helps while the stack is deployed',
  })
  role.addToPolicy(new PolicyStatement(logStatement(logGroup)))
  return role
}

/**
 * Gives the CDK's helper that empties buckets before deletion a log group with a retention period and a role that may only write there.
 * The CDK has no properties for either; the helper's access to a bucket is granted by the policy of that bucket.
 * @param kept buckets that a later configuration may keep: their policy no longer knows the helper then, which still has to see by their
 * tags, before it goes, that it must leave them alone
 */
export function restrictAutoDeleteHelper(
  stack: Stack,
  logRetentionDays: number,
  kept: readonly Bucket[] = [],
) {
  const helper = stack.node.tryFindChild('Custom::S3AutoDeleteObjectsCustomResourceProvider')
  if (!helper) return
  const [role, handler] = ['Role', 'Handler'].map((id) => helper.node.findChild(id) as CfnResource)
  const logGroup = new LogGroup(stack, 'EmptyingLogs', {
    retention: logRetentionDays as RetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  role?.addPropertyDeletionOverride('ManagedPolicyArns')
  role?.addPropertyOverride('Policies', [
    {
      PolicyName: 'Log',
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          new PolicyStatement(logStatement(logGroup)),
          ...kept.map(
            ({ bucketArn }) =>
              new PolicyStatement({ actions: ['s3:GetBucketTagging'], resources: [bucketArn] }),
          ),
        ].map((statement) => statement.toStatementJson() as object),
      },
    },
  ])
  handler?.addPropertyOverride('LoggingConfig', { LogGroup: logGroup.logGroupName })
}
