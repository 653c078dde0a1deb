import { CfnResource, RemovalPolicy, type Stack } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'

const logStatement = ({ logGroupArn }: LogGroup) => ({
  actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  resources: [logGroupArn],
})

/** Creates a role for a helper function of the CDK: it may only write its log until granted more. */
export function helperRole(scope: Construct, id: string, logGroup: LogGroup): Role {
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    description: 'Helps while the stack is deployed',
  })
  role.addToPolicy(new PolicyStatement(logStatement(logGroup)))
  return role
}

/**
 * Restricts the CDK's helper function that empties buckets before deletion: to a log group with a retention period, and a role that may
 * only write there. Does nothing in a stack without that helper.
 * The CDK has no properties for either; the helper's access to a bucket is granted by the policy of that bucket.
 * @param retainable buckets that a later configuration may retain. Their policy then no longer admits the helper, which when it is removed
 * still has to read their tags to find out that it must not empty them
 */
export function restrictAutoDeleteHelper(
  stack: Stack,
  logRetentionDays: number,
  retainable: readonly Bucket[] = [],
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
          ...retainable.map(
            ({ bucketArn }) =>
              new PolicyStatement({ actions: ['s3:GetBucketTagging'], resources: [bucketArn] }),
          ),
        ].map((statement) => statement.toStatementJson() as object),
      },
    },
  ])
  handler?.addPropertyOverride('LoggingConfig', { LogGroup: logGroup.logGroupName })
}
