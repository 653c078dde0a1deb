import { CfnResource, RemovalPolicy, type Stack } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'

const logStatement = ({ logGroupArn }: LogGroup) => ({
  actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  resources: [logGroupArn],
})

/** A role for one of the library's own helper functions, which may write its log and nothing else until granted. */
export function helperRole(scope: Construct, id: string, logGroup: LogGroup): Role {
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    description: 'Helps while the stack is deployed',
  })
  role.addToPolicy(new PolicyStatement(logStatement(logGroup)))
  return role
}

/**
 * Gives the library's helper that empties buckets before they are deleted a log group that ends, and a role that may write there
 * and nowhere else. The library takes neither as a property; what it may do with a bucket stands in that bucket's policy.
 */
export function restrictAutoDeleteHelper(stack: Stack, logRetentionDays: number) {
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
        Statement: [new PolicyStatement(logStatement(logGroup)).toStatementJson()],
      },
    },
  ])
  handler?.addPropertyOverride('LoggingConfig', { LogGroup: logGroup.logGroupName })
}
