import { CfnOutput, Duration, Fn, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb'
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from 'aws-cdk-lib/aws-s3'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { acknowledge } from './acknowledge.ts'
import type { Config } from './config.ts'
import { restrictAutoDeleteHelper } from './helper-role.ts'
import { existingSecret, type SecretReference } from './secret-reference.ts'

const modelKeyOutput = 'ModelKeySecret'

/** Users' data: table, uploads, secrets. It is kept when the stack is deleted, except the secret for the model's key, unless keepData is off. */
export class DataStack extends Stack {
  readonly table: Table
  readonly uploads: Bucket
  /** undefined: the model's server needs no key */
  readonly modelKey: SecretReference | undefined
  /** seals credentials that must be stored in the table */
  readonly sealingKey: Secret

  constructor(scope: Construct, id: string, { config, ...props }: StackProps & { config: Config }) {
    super(scope, id, props)
    const removalPolicy = config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY
    // a first deployment that fails deletes them again; not the table, whose deletion protection would block CloudFormation
    const removalPolicyOnceCreated = config.keepData
      ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
      : RemovalPolicy.DESTROY

    this.table = new Table(this, 'Table', {
      partitionKey: { name: 'PK', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: config.recoveryDays,
      },
      timeToLiveAttribute: 'ttl',
      deletionProtection: config.keepData,
      removalPolicy,
    })

    // not versioned, so that erased data is gone
    this.uploads = new Bucket(this, 'Uploads', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: false,
      // the site's address is not known here; every request is signed, and S3 ignores cookies
      cors: [
        {
          allowedOrigins: ['*'],
          allowedMethods: [HttpMethods.GET, HttpMethods.HEAD, HttpMethods.POST],
          allowedHeaders: ['*'],
          exposedHeaders: ['ETag'],
          maxAge: 3_000,
        },
      ],
      lifecycleRules: [
        {
          id: 'unfinished-uploads',
          prefix: 'incoming/',
          expiration: Duration.days(1),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
        {
          id: 'exports',
          prefix: 'exports/',
          expiration: Duration.days(1),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
      removalPolicy: removalPolicyOnceCreated,
      // a bucket that is not empty cannot be deleted
      ...(!config.keepData && { autoDeleteObjects: true }),
    })
    acknowledge(this.uploads, {
      S1: 'Every request comes from a function, or uses a link to one file that a function signed and logged, and that ends after two hours at most. A second log would contain users’ ids, and outlive an erasure.',
    })

    this.sealingKey = new Secret(this, 'SealingKey', {
      ...(config.vault === 'table' && { encryptionKey: this.addVaultKey(config) }),
      description: `Seals values in the table of ${config.prefix}; without it they are lost`,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: removalPolicyOnceCreated,
    })
    acknowledge(this.sealingKey, {
      SMG4: 'What an old key sealed has to stay readable: a rotation puts a new line in front and keeps the old ones (docs/operations.md). A rotation that replaces the value would lose every sealed credential.',
    })

    restrictAutoDeleteHelper(this, config.logRetentionDays, [this.uploads])

    new CfnOutput(this, 'TableName', { value: this.table.tableName })
    new CfnOutput(this, 'UploadsBucketName', { value: this.uploads.bucketName })
    this.modelKey = this.addModelKey(config)
    new CfnOutput(this, 'SealingKeySecret', { value: this.sealingKey.secretArn })
  }

  private addModelKey({ modelServer, modelKeySecretName, prefix }: Config): SecretReference | undefined {
    if (modelServer === 'bedrock') return undefined
    if (modelKeySecretName) {
      new CfnOutput(this, modelKeyOutput, { value: modelKeySecretName })
      return existingSecret(this, modelKeySecretName)
    }
    const modelKey = new Secret(this, 'ModelKey', {
      description: `API key of the model of ${prefix}; generated until an operator stores the real one`,
      generateSecretString: { passwordLength: 32, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    })
    acknowledge(modelKey, {
      SMG4: 'The key belongs to the model’s provider: only an operator can make a new one there. docs/operations.md says how, and how soon functions use it.',
    })
    new CfnOutput(this, modelKeyOutput, { value: modelKey.secretArn })
    // stacks of functions that were deployed before ADR 0017 still import it
    this.exportValue(modelKey.secretArn)
    // read through the output: an export could not be removed when the configuration names another key (ADR 0017)
    const secretArn = Fn.getStackOutput(this.stackName, modelKeyOutput)
    return { secretId: secretArn, arn: secretArn }
  }

  /**
   * The key that encrypts the secret with the sealing key (ADR 0019). Everyone in this account who may read that secret may use the key,
   * through Secrets Manager only. A grant in the functions' stack would refer to the key, so that the key could not be removed again.
   */
  private addVaultKey({ prefix, keepData }: Config): Key {
    const key = new Key(this, 'VaultKey', {
      description: `Protects the sealing key of ${prefix}; without it the sealed values of the table are lost`,
      enableKeyRotation: true,
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    })
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'ReadersOfTheSealingKey',
        principals: [new AnyPrincipal()],
        actions: ['kms:Decrypt'],
        resources: ['*'],
        conditions: {
          StringEquals: {
            'kms:CallerAccount': this.account,
            'kms:ViaService': `secretsmanager.${this.region}.amazonaws.com`,
          },
        },
      }),
    )
    return key
  }
}
