import { CfnDeploymentGroup, LambdaApplication } from 'aws-cdk-lib/aws-codedeploy'
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Alias, type CfnAlias, type IFunction, type IVersion } from 'aws-cdk-lib/aws-lambda'
import { RemovalPolicy } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { ApiFunction } from './api-function.ts'
import { OwnRole } from './own-role.ts'

/** A tenth of the messages for ten minutes, in which the alarm can see two of its periods; then all of them. */
const deploymentConfig = 'CodeDeployDefault.LambdaCanary10Percent10Minutes'

/** Adds the alias by which the gateway calls the function: it names one version, or two with weights during a deployment. */
export function addLiveAlias(fn: ApiFunction): { alias: Alias; target: IFunction } {
  const version = fn.currentVersion
  // replies that a former version has begun go on; all versions are deleted with the function
  version.applyRemovalPolicy(RemovalPolicy.RETAIN)
  // the CDK's classes do not declare optional properties as its interfaces do
  const alias = new Alias(fn, 'Live', { aliasName: 'live', version: version as IVersion })
  return { alias, target: alias as IFunction }
}

/**
 * Lets CodeDeploy move the alias to a new version: a part of the calls first, then all. If the alarm is raised meanwhile, it moves the alias
 * back, and CloudFormation rolls the stack back.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-updatepolicy.html
 */
export function addCanary(
  scope: Construct,
  id: string,
  { alias, alarm }: { alias: Alias; alarm: Alarm },
): void {
  const fn = alias.lambda
  const role = new OwnRole(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    description: 'Moves the alias of a function to a new version',
  })
  role.addToPolicy(
    new PolicyStatement({
      actions: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
      resources: [fn.functionArn, alias.functionArn],
    }),
  )
  role.addToPolicy(
    new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: [alarm.alarmArn] }),
  )
  const application = new LambdaApplication(scope, `${id}Application`)
  // the construct of the CDK adds a policy of AWS that allows the aliases of all functions
  const group = new CfnDeploymentGroup(scope, id, {
    applicationName: application.applicationName,
    serviceRoleArn: role.roleArn,
    deploymentConfigName: deploymentConfig,
    deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
    alarmConfiguration: { enabled: true, alarms: [{ name: alarm.alarmName }] },
    autoRollbackConfiguration: {
      enabled: true,
      events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
    },
  })
  ;(alias.node.defaultChild as CfnAlias).cfnOptions.updatePolicy = {
    codeDeployLambdaAliasUpdate: {
      applicationName: application.applicationName,
      deploymentGroupName: group.ref,
    },
  }
}
