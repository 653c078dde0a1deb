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
 * Writes the row CONF/SITE during a deployment when one of its values has changed. Functions are deployed before the site and read its
 * address from this row. The helper may write this row only.
 */
export function writeSiteConfig(
  scope: Construct,
  { table, siteConfig, logRetentionDays }: { table: Table; siteConfig: SiteConfig; logRetentionDays: number },
) {
  const put: AwsSdkCall = {
    service: '@aws-sdk/client-dynamodb',
    action: 'PutItem',
    parameters: {
      TableName: table.tableName,
      Item: {
        PK: { S: 'CONF' },
        SK: { S: 'SITE' },
        origin: { S: siteConfig.origin },
        clientId: { S: siteConfig.clientId },
        bucketOrigin: { S: siteConfig.bucketOrigin },
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
