/** The resources of a statement: CloudFormation names most of them after their stack (`{name}`), others have generated ids. */
export const scopes = {
  api: [
    'arn:aws:apigateway:*::/restapis*',
    'arn:aws:apigateway:*::/account',
    'arn:aws:apigateway:*::/tags/*',
  ],
  alarms: ['arn:aws:cloudwatch:*:*:alarm:{name}', 'arn:aws:cloudwatch::*:dashboard/{name}'],
  buckets: ['arn:aws:s3:::{name}', 'arn:aws:s3:::{name}/*'],
  certificates: ['arn:aws:acm:us-east-1:*:certificate/*'],
  distributions: ['arn:aws:cloudfront::*:*'],
  functions: ['arn:aws:lambda:*:*:function:{name}', 'arn:aws:lambda:*:*:layer:*'],
  keys: ['arn:aws:kms:*:*:key/*'],
  logs: ['arn:aws:logs:*:*:log-group:{name}'],
  pools: ['arn:aws:cognito-idp:*:*:userpool/*'],
  queues: ['arn:aws:sqs:*:*:{name}'],
  roles: ['arn:aws:iam::*:role/{name}'],
  schedules: ['arn:aws:scheduler:*:*:schedule/default/{name}'],
  // named after their logical ids
  secrets: ['arn:aws:secretsmanager:*:*:secret:ModelKey*', 'arn:aws:secretsmanager:*:*:secret:SealingKey*'],
  tables: ['arn:aws:dynamodb:*:*:table/{name}'],
  topics: ['arn:aws:sns:*:*:{name}'],
  webAcls: ['arn:aws:wafv2:us-east-1:*:global/*'],
  serviceRoles: ['arn:aws:iam::*:role/aws-service-role/email.cognito-idp.amazonaws.com/*'],
  zones: ['arn:aws:route53:::hostedzone/*', 'arn:aws:route53:::change/*'],
  // for actions without a resource in IAM, or before it exists
  everything: ['*'],
} as const satisfies Record<string, readonly string[]>

export type Scope = keyof typeof scopes

/** Actions by scope. */
export type Actions = Readonly<Partial<Record<Scope, readonly string[]>>>

/** Actions of one service, as a list of words. */
const actions = (service: string, names: string) => names.split(/\s+/).map((name) => `${service}:${name}`)

const apiGateway: Actions = {
  api: actions('apigateway', 'DELETE GET PATCH POST PUT'),
}
const passRole: Actions = { roles: actions('iam', 'GetRole PassRole') }
/** A custom resource calls a function of the stack. */
const customResource: Actions = { functions: actions('lambda', 'InvokeFunction GetFunction') }

/**
 * CloudFormation's actions to create, read, update, tag and delete a resource of each type, for the properties that the stacks set: the
 * permissions of the handlers in the types' schemas (`aws cloudformation describe-type`), as of 2026-08-07, without features that are
 * not used, such as replicas, VPCs and imports. Reads of one service are abbreviated with a wildcard.
 */
export const actionsByType: Readonly<Record<string, readonly Actions[]>> = {
  'AWS::ApiGateway::Account': [apiGateway, passRole],
  'AWS::ApiGateway::Authorizer': [apiGateway],
  'AWS::ApiGateway::Deployment': [apiGateway],
  'AWS::ApiGateway::GatewayResponse': [apiGateway],
  'AWS::ApiGateway::Method': [apiGateway],
  'AWS::ApiGateway::Resource': [apiGateway],
  'AWS::ApiGateway::RestApi': [apiGateway],
  'AWS::ApiGateway::Stage': [apiGateway],
  'AWS::CertificateManager::Certificate': [
    {
      certificates: actions(
        'acm',
        `AddTagsToCertificate DeleteCertificate DescribeCertificate ListTagsForCertificate
         RemoveTagsFromCertificate UpdateCertificateOptions`,
      ),
      everything: actions('acm', 'RequestCertificate'),
      zones: actions('route53', 'ChangeResourceRecordSets GetChange'),
    },
  ],
  'AWS::CloudFront::Distribution': [
    {
      distributions: actions(
        'cloudfront',
        `CreateDistribution CreateDistributionWithTags DeleteDistribution GetDistribution
         GetDistributionConfig ListTagsForResource TagResource UntagResource UpdateDistribution`,
      ),
      // the bucket of the access log
      buckets: actions('s3', 'GetBucketAcl PutBucketAcl'),
    },
  ],
  'AWS::CloudFront::Function': [
    {
      distributions: actions(
        'cloudfront',
        `CreateFunction DeleteFunction DescribeFunction GetFunction PublishFunction UpdateFunction`,
      ),
    },
  ],
  'AWS::CloudFront::OriginAccessControl': [
    {
      distributions: actions(
        'cloudfront',
        `CreateOriginAccessControl DeleteOriginAccessControl GetOriginAccessControl
         UpdateOriginAccessControl`,
      ),
    },
  ],
  'AWS::CloudFront::ResponseHeadersPolicy': [
    {
      distributions: actions(
        'cloudfront',
        `CreateResponseHeadersPolicy DeleteResponseHeadersPolicy GetResponseHeadersPolicy
         UpdateResponseHeadersPolicy`,
      ),
    },
  ],
  'AWS::CloudWatch::Alarm': [
    {
      alarms: actions(
        'cloudwatch',
        `DeleteAlarms DescribeAlarms ListTagsForResource PutMetricAlarm TagResource UntagResource`,
      ),
    },
  ],
  'AWS::CloudWatch::Dashboard': [
    { alarms: actions('cloudwatch', 'DeleteDashboards GetDashboard PutDashboard') },
  ],
  'AWS::Cognito::ManagedLoginBranding': [
    {
      pools: actions(
        'cognito-idp',
        `CreateManagedLoginBranding DeleteManagedLoginBranding DescribeManagedLoginBranding
         DescribeManagedLoginBrandingByClient UpdateManagedLoginBranding`,
      ),
    },
  ],
  'AWS::Cognito::UserPool': [
    {
      pools: actions(
        'cognito-idp',
        `AddCustomAttributes DeleteUserPool DescribeUserPool GetUserPoolMfaConfig
         ListTagsForResource SetUserPoolMfaConfig TagResource UntagResource UpdateUserPool`,
      ),
      // the role with which Cognito sends through SES
      serviceRoles: actions('iam', 'CreateServiceLinkedRole'),
      everything: actions('cognito-idp', 'CreateUserPool'),
    },
  ],
  'AWS::Cognito::UserPoolClient': [
    {
      pools: actions(
        'cognito-idp',
        `CreateUserPoolClient DeleteUserPoolClient DescribeUserPoolClient UpdateUserPoolClient`,
      ),
    },
  ],
  'AWS::Cognito::UserPoolDomain': [
    {
      pools: actions('cognito-idp', 'CreateUserPoolDomain DeleteUserPoolDomain UpdateUserPoolDomain'),
      everything: actions('cognito-idp', 'DescribeUserPoolDomain'),
    },
  ],
  'AWS::Cognito::UserPoolIdentityProvider': [
    {
      pools: actions(
        'cognito-idp',
        `CreateIdentityProvider DeleteIdentityProvider DescribeIdentityProvider UpdateIdentityProvider`,
      ),
    },
  ],
  'AWS::DynamoDB::Table': [
    {
      tables: actions(
        'dynamodb',
        `CreateTable DeleteTable Describe* GetResourcePolicy ListTagsOfResource TagResource UntagResource
         UpdateContinuousBackups UpdateTable UpdateTimeToLive`,
      ),
      keys: actions('kms', 'CreateGrant DescribeKey'),
    },
  ],
  'AWS::IAM::Policy': [{ roles: actions('iam', 'DeleteRolePolicy GetRolePolicy PutRolePolicy') }],
  'AWS::IAM::Role': [
    {
      roles: actions(
        'iam',
        `AttachRolePolicy CreateRole DeleteRole DeleteRolePolicy DetachRolePolicy GetRole GetRolePolicy
         ListAttachedRolePolicies ListRolePolicies PutRolePolicy TagRole UntagRole UpdateAssumeRolePolicy
         UpdateRole UpdateRoleDescription`,
      ),
    },
  ],
  'AWS::KMS::Key': [
    {
      keys: actions(
        'kms',
        `DescribeKey DisableKeyRotation EnableKeyRotation GetKeyPolicy GetKeyRotationStatus
         ListResourceTags PutKeyPolicy ScheduleKeyDeletion TagResource UntagResource UpdateKeyDescription`,
      ),
      everything: actions('kms', 'CreateKey'),
    },
  ],
  'AWS::Lambda::EventInvokeConfig': [
    {
      functions: actions(
        'lambda',
        `DeleteFunctionEventInvokeConfig Get* PutFunctionEventInvokeConfig
         UpdateFunctionEventInvokeConfig`,
      ),
    },
  ],
  'AWS::Lambda::Function': [
    {
      functions: actions(
        'lambda',
        `CreateFunction DeleteFunction DeleteFunctionConcurrency Get* PutFunctionConcurrency
         PutRuntimeManagementConfig TagResource UntagResource UpdateFunctionCode
         UpdateFunctionConfiguration`,
      ),
    },
    passRole,
  ],
  'AWS::Lambda::LayerVersion': [
    { functions: actions('lambda', 'DeleteLayerVersion Get* PublishLayerVersion') },
  ],
  'AWS::Lambda::Permission': [{ functions: actions('lambda', 'AddPermission Get* RemovePermission') }],
  'AWS::Logs::LogGroup': [
    {
      logs: actions(
        'logs',
        `CreateLogGroup DeleteLogGroup DeleteRetentionPolicy GetDataProtectionPolicy ListTagsForResource
         PutRetentionPolicy TagResource UntagResource`,
      ),
      everything: actions('logs', 'DescribeIndexPolicies DescribeLogGroups DescribeResourcePolicies'),
    },
  ],
  'AWS::Route53::RecordSet': [
    {
      zones: actions('route53', `ChangeResourceRecordSets GetChange GetHostedZone ListResourceRecordSets`),
    },
  ],
  'AWS::S3::Bucket': [
    {
      buckets: actions(
        's3',
        `CreateBucket DeleteBucket GetAccelerateConfiguration GetAnalyticsConfiguration GetBucket*
         GetEncryptionConfiguration GetIntelligentTieringConfiguration GetInventoryConfiguration
         GetLifecycleConfiguration GetMetricsConfiguration GetReplicationConfiguration ListBucket
         ListTagsForResource PutBucketAcl PutBucketCORS PutBucketLogging PutBucketOwnershipControls
         PutBucketPublicAccessBlock PutBucketTagging PutBucketVersioning PutEncryptionConfiguration
         PutLifecycleConfiguration TagResource UntagResource`,
      ),
    },
  ],
  'AWS::S3::BucketPolicy': [{ buckets: actions('s3', 'DeleteBucketPolicy GetBucket* PutBucketPolicy') }],
  'AWS::SNS::Subscription': [
    {
      topics: actions('sns', `GetSubscriptionAttributes SetSubscriptionAttributes Subscribe Unsubscribe`),
    },
  ],
  'AWS::SNS::Topic': [
    {
      topics: actions(
        'sns',
        `CreateTopic DeleteTopic GetDataProtectionPolicy GetTopicAttributes ListSubscriptionsByTopic
         ListTagsForResource SetTopicAttributes TagResource UntagResource`,
      ),
    },
  ],
  'AWS::SNS::TopicPolicy': [{ topics: actions('sns', 'GetTopicAttributes SetTopicAttributes') }],
  'AWS::SQS::Queue': [
    {
      queues: actions(
        'sqs',
        `CreateQueue DeleteQueue GetQueueAttributes GetQueueUrl ListQueueTags SetQueueAttributes TagQueue
         UntagQueue`,
      ),
    },
  ],
  'AWS::SQS::QueuePolicy': [{ queues: actions('sqs', 'GetQueueAttributes SetQueueAttributes') }],
  'AWS::Scheduler::Schedule': [
    {
      schedules: actions('scheduler', 'CreateSchedule DeleteSchedule GetSchedule UpdateSchedule'),
    },
    passRole,
  ],
  'AWS::SecretsManager::Secret': [
    {
      secrets: actions(
        'secretsmanager',
        `CreateSecret DeleteSecret DescribeSecret TagResource UntagResource UpdateSecret`,
      ),
      everything: actions('secretsmanager', 'GetRandomPassword'),
      // with a customer-managed key
      keys: actions('kms', 'Decrypt GenerateDataKey'),
    },
  ],
  'AWS::WAFv2::WebACL': [
    {
      webAcls: actions(
        'wafv2',
        `CreateWebACL DeleteWebACL GetWebACL ListTagsForResource TagResource UntagResource UpdateWebACL`,
      ),
    },
  ],
  'Custom::CDKBucketDeployment': [customResource],
  'Custom::S3AutoDeleteObjects': [customResource],
  'Custom::SiteFacts': [customResource],
}
