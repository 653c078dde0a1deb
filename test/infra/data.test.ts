import { describe, expect, it } from 'vitest'
import { variants, configurations, otherValues } from './configurations.ts'
import { synthesise, type Resource, type Synthesised } from './synthesised.ts'

const app = synthesise()
const full = synthesise(configurations.full)

/** The role with which API Gateway writes logs exists once per account and region: it outlives the stage that created it. */
const accountWide = ['api AWS::IAM::Role Retain', 'api AWS::ApiGateway::Account Retain']

/** Resources that deleting or replacing the stacks would leave behind. */
const listRetained = ({ templates }: Synthesised) =>
  (['data', 'auth', 'api', 'web', 'edge'] as const).flatMap((stack) =>
    Object.values(templates[stack].toJSON()['Resources'] as Record<string, Resource>)
      .filter((resource) => [resource.DeletionPolicy, resource.UpdateReplacePolicy].includes('Retain'))
      .map(({ Type, DeletionPolicy }) => `${stack} ${Type} ${DeletionPolicy}`),
  )

const tags = [
  { Key: 'brand', Value: 'juno' },
  { Key: 'stage', Value: 'dev' },
]

describe('table', () => {
  it('INFRA-04 is the only one, on demand, restorable for 35 days, encrypted, retained', () => {
    const table = app.only('data', 'AWS::DynamoDB::Table')
    expect(table.Properties).toEqual({
      AttributeDefinitions: [
        { AttributeName: 'PK', AttributeType: 'S' },
        { AttributeName: 'SK', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
      SSESpecification: { SSEEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      Tags: tags,
    })
    expect(table.DeletionPolicy).toBe('Retain')
    for (const stack of ['auth', 'api', 'web'] as const)
      expect(app.resources(stack, 'AWS::DynamoDB::Table')).toEqual([])
  })

  it('INFRA-04 is restorable for the time in the context', () => {
    const withOtherValues = synthesise(otherValues)
    const table = withOtherValues.only('data', 'AWS::DynamoDB::Table')
    expect(table.Properties['PointInTimeRecoverySpecification']).toEqual({
      PointInTimeRecoveryEnabled: true,
      RecoveryPeriodInDays: 7,
    })
    // the receipt of an erasure contains the day when this time ends
    const functionsWithRecoveryDays = withOtherValues
      .resources('api', 'AWS::Lambda::Function')
      .filter(({ Properties }) =>
        JSON.stringify(Properties['Environment'] ?? {}).includes('"RECOVERY_DAYS":"7"'),
      )
    expect(functionsWithRecoveryDays.map(({ id }) => id)).toEqual(['Account'])
  })
})

describe('uploads', () => {
  it('INFRA-05 are private, encrypted, not versioned, and deleted after a day if unfinished', () => {
    const bucket = app.only('data', 'AWS::S3::Bucket')
    expect(bucket.Properties).toEqual({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      CorsConfiguration: {
        CorsRules: [
          {
            AllowedHeaders: ['*'],
            AllowedMethods: ['GET', 'HEAD', 'POST'],
            AllowedOrigins: ['*'],
            ExposedHeaders: ['ETag'],
            MaxAge: 3_000,
          },
        ],
      },
      LifecycleConfiguration: {
        Rules: [
          {
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
            ExpirationInDays: 1,
            Id: 'unfinished-uploads',
            Prefix: 'incoming/',
            Status: 'Enabled',
          },
          {
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
            ExpirationInDays: 1,
            Id: 'exports',
            Prefix: 'exports/',
            Status: 'Enabled',
          },
        ],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      Tags: tags,
    })
    expect([bucket.DeletionPolicy, bucket.UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain'])
  })

  it('INFRA-05 are refused over plain http, and the bucket policy admits nobody', () => {
    const { Properties } = app.only('data', 'AWS::S3::BucketPolicy')
    expect(Properties['PolicyDocument']).toEqual({
      Statement: [
        {
          Action: 's3:*',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          Effect: 'Deny',
          Principal: { AWS: '*' },
          Resource: ['data/Uploads.Arn', 'data/Uploads.Arn/*'],
        },
      ],
      Version: '2012-10-17',
    })
  })
})

describe('secrets', () => {
  it('INFRA-06 are an empty secret for the model’s key and a generated sealing key, which is retained', () => {
    expect(app.named('data', 'AWS::SecretsManager::Secret', 'ModelKey')).toMatchObject({
      Properties: { GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 32 } },
      DeletionPolicy: 'Delete',
    })
    expect(app.named('data', 'AWS::SecretsManager::Secret', 'SealingKey')).toMatchObject({
      Properties: { GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 64 } },
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    })
    expect(app.resources('data', 'AWS::SecretsManager::Secret')).toHaveLength(2)
  })

  it('INFRA-06 an existing secret for the key is read by its name, and none is created', () => {
    const withOperatorSecret = synthesise(variants["the model's key in a secret of the operator"])
    expect(withOperatorSecret.resources('data', 'AWS::SecretsManager::Secret').map(({ id }) => id)).toEqual([
      'SealingKey',
    ])
    const chat = withOperatorSecret.named('api', 'AWS::Lambda::Function', 'Chat')
    expect(chat.Properties['Environment']).toMatchObject({
      Variables: { MODEL_KEY_SECRET: 'team/model' },
    })
    expect(withOperatorSecret.listStatements('api', 'Chat')).toContainEqual({
      Action: 'secretsmanager:GetSecretValue',
      Effect: 'Allow',
      Resource: expect.arrayContaining([
        'arn:<Partition>:secretsmanager:<Region>:<AccountId>:secret:team/model-??????',
      ]),
    })
    expect(withOperatorSecret.outputs('data')).toMatchObject({ ModelKeySecret: 'team/model' })
  })
})

describe('a disposable stage', () => {
  const { domainName, hostedZoneId, waf } = configurations.full
  const disposable = synthesise({ keepData: 'off', domainName, hostedZoneId, waf })

  it('INFRA-04 leaves nothing but the account’s permission to write logs', () => {
    expect(listRetained(disposable)).toEqual(accountWide)
  })

  it('INFRA-04 the table may be deleted, and can be restored until its backups expire', () => {
    expect(disposable.only('data', 'AWS::DynamoDB::Table')).toMatchObject({
      Properties: {
        DeletionProtectionEnabled: false,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
      DeletionPolicy: 'Delete',
    })
  })

  it('INFRA-05 the bucket is emptied first, which never happens to a retained one', () => {
    expect(disposable.only('data', 'Custom::S3AutoDeleteObjects').Properties).toMatchObject({
      BucketName: 'data/Uploads',
    })
    expect(app.resources('data', 'Custom::S3AutoDeleteObjects')).toEqual([])
    // a change back: the bucket's policy has forgotten the helper, which reads the tag before it is deleted
    const { Policies } = disposable.named(
      'data',
      'AWS::IAM::Role',
      'CustomS3AutoDeleteObjectsCustomResourceProviderRole',
    ).Properties
    expect(JSON.stringify(Policies)).toContain('s3:GetBucketTagging')
  })

  it('INFRA-02 the user pool may be deleted', () => {
    expect(disposable.only('auth', 'AWS::Cognito::UserPool')).toMatchObject({
      Properties: { DeletionProtection: 'INACTIVE' },
      DeletionPolicy: 'Delete',
    })
  })
})

describe('a retained stage', () => {
  it('INFRA-04 leaves users’ data, and else only the account’s permission to write logs', () => {
    expect(listRetained(full)).toEqual([
      'data AWS::DynamoDB::Table Retain',
      'data AWS::S3::Bucket RetainExceptOnCreate',
      'data AWS::SecretsManager::Secret RetainExceptOnCreate',
      'auth AWS::Cognito::UserPool Retain',
      // of the canary: Lambda deletes the versions of a function with it
      'api AWS::Lambda::Version Retain',
      ...accountWide,
    ])
  })
})
