import { RemovalPolicy } from 'aws-cdk-lib'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import {
  AwsCustomResource,
  AwsCustomResourcePolicy,
  PhysicalResourceId,
  type AwsSdkCall,
} from 'aws-cdk-lib/custom-resources'
import type { Construct } from 'constructs'
import { helperRole } from './helper-role.ts'
import { rowStatement } from './permissions.ts'
import { deploymentAccess } from './table-access.ts'

export interface SiteConfig {
  readonly origin: string
  readonly clientId: string
  readonly bucketOrigin: string
}

/**
 * Writes the row CONF/SITE at deployment, whenever one of its values has changed: functions and triggers are deployed before
 * the site is, and read there what only the site knows. May write that row and nothing else.
 */
export function writeSiteConfig(
  scope: Construct,
  { table, facts, logRetentionDays }: { table: Table; facts: SiteConfig; logRetentionDays: number },
) {
  const put: AwsSdkCall = {
    service: '@aws-sdk/client-dynamodb',
    action: 'PutItem',
    parameters: {
      TableName: table.tableName,
      Item: {
        PK: { S: 'CONF' },
        SK: { S: 'SITE' },
        origin: { S: facts.origin },
        clientId: { S: facts.clientId },
        bucketOrigin: { S: facts.bucketOrigin },
      },
    },
    physicalResourceId: PhysicalResourceId.of('CONF/SITE'),
  }
  const logGroup = new LogGroup(scope, 'SiteFactsLogs', {
    retention: logRetentionDays as RetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  return new AwsCustomResource(scope, 'SiteFacts', {
    resourceType: 'Custom::SiteFacts',
    onCreate: put,
    onUpdate: put,
    installLatestAwsSdk: false,
    logGroup,
    role: helperRole(scope, 'SiteFactsRole', logGroup),
    policy: AwsCustomResourcePolicy.fromStatements([rowStatement(table, deploymentAccess)]),
  })
}
