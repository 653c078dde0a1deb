import { Duration } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { formatSignUpPolicy } from '#shared/sign-up-policy.ts'
import { ApiFunction, type ApiFunctionProps } from './api-function.ts'
import { grantModels } from './bedrock-models.ts'
import {
  authEnvironment,
  credentialEnvironment,
  fileEnvironment,
  functionDefaults,
  modelEnvironment,
  sharingEnvironment,
  spreadEnvironment,
  vaultPrefix,
  type FunctionInput,
} from './function-settings.ts'
import {
  grantReplies,
  grantAccount,
  grantAdmin,
  grantFiles,
  grantSessions,
  grantTwoFactor,
  grantDocuments,
  grantRows,
  grantSecretRead,
} from './permissions.ts'
import { providerEnvironment } from './identity-providers.ts'
import { productVersion } from './product-version.ts'
import { existingSecret, ownSecret } from './secret-reference.ts'

/** Adds the functions of chats, conversations, files and accounts. */
export const addProductFunctions = (
  scope: Construct,
  input: FunctionInput & { reader: ApiFunction; parser: ApiFunction; notifier: ApiFunction },
) => ({
  chat: addReplies(scope, input, {
    id: 'Chat',
    entry: 'chat/handlers.ts',
    description: 'Replies: calls the model, streams and stores the conversation',
    reservedConcurrency: input.config.chatConcurrency,
    role: 'chat',
    environment: spreadEnvironment,
  }),
  sessions: addSessions(scope, input),
  shared: addShared(scope, input),
  files: addFiles(scope, input),
  documents: addDocuments(scope, input),
  account: addAccount(scope, input),
  mfa: addMfa(scope, input),
  admin: addAdmin(scope, input),
  health: addHealth(scope, input),
})

/** Adds a function that replies: to requests, or to what was scheduled. */
export function addReplies(
  scope: Construct,
  input: FunctionInput & { reader: ApiFunction; parser: ApiFunction; notifier: ApiFunction },
  {
    id,
    role,
    environment,
    ...props
  }: Pick<ApiFunctionProps, 'entry' | 'description' | 'reservedConcurrency'> & {
    id: string
    role: 'chat' | 'scheduleWorker'
    environment?: ApiFunctionProps['environment']
  },
): ApiFunction {
  const { config } = input
  const { table, uploads, modelKey, sealingKey } = input.data
  const chat = new ApiFunction(scope, id, {
    ...functionDefaults(config),
    ...props,
    timeout: Duration.seconds(config.replySeconds),
    environment: {
      ...environment,
      ...fileEnvironment(input),
      TOKENS_PER_DAY: config.tokensPerDay?.toString(),
      REPLIES_AT_ONCE: config.repliesAtOnce?.toString(),
      IMAGES_PER_DAY: config.imagesPerDay?.toString(),
      SITE_TOKENS_PER_DAY: config.siteTokensPerDay.toString(),
      STORAGE_GB_PER_USER: config.storageGbPerUser?.toString(),
      DOCUMENT_READER_FUNCTION: input.reader.functionName,
      DOCUMENT_PARSER_FUNCTION: input.parser.functionName,
      NOTIFIER_FUNCTION: input.notifier.functionName,
      ASSISTANT_NAME: config.assistantName,
      MODEL_SERVER: config.modelServer === 'bedrock' ? config.modelServer : undefined,
      MODEL_API: config.modelApi,
      MODEL_SILENCE_SECONDS: config.modelSilenceSeconds?.toString(),
      OPENAI_BASE_URL: config.openaiBaseUrl,
      ...modelEnvironment(config),
      OPENAI_IMAGE_MODEL: config.openaiImageModel,
      OPENAI_TRANSCRIPTION_MODEL: config.transcriptionModel,
      EMBEDDING_MODEL: config.embeddingModel,
      CONVERSATION_TITLES: config.conversationTitles ? 'on' : 'off',
      MODEL_KEY_SECRET: modelKey?.secretId,
      MODEL_HEADERS_SECRET: config.modelHeadersSecret,
      WEB_SEARCH: config.webSearch,
      WEB_SEARCH_URL: config.webSearchUrl,
      WEB_SEARCH_KEY_SECRET: config.webSearchKeySecretName,
      ...credentialEnvironment(input),
    },
  })
  grantReplies(chat, role, {
    table,
    uploads,
    reader: input.reader,
    parser: input.parser,
    notifier: input.notifier,
    modelKey,
    vaultPrefix: vaultPrefix(config),
    sealingKey,
  })
  if (config.modelHeadersSecret !== undefined)
    grantSecretRead(chat, existingSecret(scope, config.modelHeadersSecret))
  if (config.webSearchKeySecretName !== undefined)
    grantSecretRead(chat, existingSecret(scope, config.webSearchKeySecretName))
  if (config.modelServer === 'bedrock')
    grantModels(
      chat,
      config.models.map(({ id }) => id),
    )
  return chat
}

function addSessions(scope: Construct, input: FunctionInput & { reader: ApiFunction }): ApiFunction {
  const sessions = new ApiFunction(scope, 'Sessions', {
    ...functionDefaults(input.config),
    entry: 'conversations/handlers.ts',
    description: 'Conversations: list, read, name, search, export, delete',
    environment: {
      ...fileEnvironment(input),
      ...sharingEnvironment(input.config),
      DOCUMENT_READER_FUNCTION: input.reader.functionName,
      USER_POOL_ID: input.userPool.userPoolId,
      STORAGE_GB_PER_USER: input.config.storageGbPerUser?.toString(),
      PRODUCT_VERSION: productVersion,
    },
  })
  grantSessions(sessions, { ...input.data, reader: input.reader, userPool: input.userPool })
  return sessions
}

function addShared(scope: Construct, input: FunctionInput): ApiFunction {
  const { config, data } = input
  const shared = new ApiFunction(scope, 'Shared', {
    ...functionDefaults(config),
    entry: 'shares/handlers.ts',
    description: 'Shows the snapshots behind links, and the notice of the site',
    environment: {
      ...authEnvironment(input),
      SIGN_UP: formatSignUpPolicy(config.signUp),
      ...sharingEnvironment(config),
    },
  })
  grantRows(shared, data.table, 'shared')
  return shared
}

function addFiles(scope: Construct, input: FunctionInput & { reader: ApiFunction }): ApiFunction {
  const { config } = input
  const files = new ApiFunction(scope, 'Files', {
    ...functionDefaults(config),
    entry: 'files/handlers.ts',
    description: 'Files of users: accepts and checks uploads, creates links, deletes',
    environment: {
      ...fileEnvironment(input),
      STORAGE_GB_PER_USER: config.storageGbPerUser?.toString(),
      DOCUMENT_READER_FUNCTION: input.reader.functionName,
    },
  })
  grantFiles(files, { ...input.data, reader: input.reader })
  return files
}

function addDocuments(
  scope: Construct,
  input: FunctionInput & { reader: ApiFunction; parser: ApiFunction },
): ApiFunction {
  const documents = new ApiFunction(scope, 'Documents', {
    ...functionDefaults(input.config),
    entry: 'documents/handlers.ts',
    description: 'Tells what was read of a document, and queries its tables again',
    environment: {
      ...fileEnvironment(input),
      DOCUMENT_READER_FUNCTION: input.reader.functionName,
      DOCUMENT_PARSER_FUNCTION: input.parser.functionName,
    },
  })
  grantDocuments(documents, { ...input.data, reader: input.reader, parser: input.parser })
  return documents
}

function addAccount(scope: Construct, input: FunctionInput): ApiFunction {
  const { config, userPool } = input
  const { table, uploads, sealingKey } = input.data
  const account = new ApiFunction(scope, 'Account', {
    ...functionDefaults(config),
    entry: 'account/handlers.ts',
    description: 'Data of a user: profile, settings, export, erasure',
    // an export reads and writes every byte that a user stores
    timeout: Duration.minutes(15),
    environment: {
      ...fileEnvironment(input),
      ASSISTANT_NAME: config.assistantName,
      USER_POOL_ID: userPool.userPoolId,
      // whether a schedule may run depends on the groups of its owner
      ...providerEnvironment(config),
      ...spreadEnvironment,
      RECOVERY_DAYS: String(config.recoveryDays),
      // a user's own budgets, which they may see
      TOKENS_PER_DAY: config.tokensPerDay?.toString(),
      IMAGES_PER_DAY: config.imagesPerDay?.toString(),
      ...credentialEnvironment(input),
    },
  })
  grantAccount(account, { table, uploads, userPool, vaultPrefix: vaultPrefix(config), sealingKey })
  return account
}

function addMfa(scope: Construct, input: FunctionInput): ApiFunction {
  const { config, userPool, data } = input
  const sealingKey = ownSecret(data.sealingKey)
  const mfa = new ApiFunction(scope, 'Mfa', {
    ...functionDefaults(config),
    entry: 'mfa/handlers.ts',
    description: 'Two-factor: set-up, backup codes, status',
    // hashing backup codes needs processor time, which Lambda allocates by memory
    memoryMb: 1024,
    environment: {
      ...authEnvironment(input),
      BRAND_NAME: config.brandName,
      USER_POOL_ID: userPool.userPoolId,
      SEALING_KEY_SECRET: sealingKey.secretId,
    },
  })
  grantTwoFactor(mfa, { table: data.table, sealingKey, userPool })
  return mfa
}

function addAdmin(scope: Construct, input: FunctionInput): ApiFunction {
  const { config, userPool, data } = input
  const admin = new ApiFunction(scope, 'Admin', {
    ...functionDefaults(config),
    entry: 'admin/handlers.ts',
    description: 'Users, invitations, groups, usage and the audit log, for administrators',
    environment: {
      ...authEnvironment(input),
      BRAND_NAME: config.brandName,
      USER_POOL_ID: userPool.userPoolId,
      MAIL_SENDER: config.ses?.sender,
      SIGN_UP: formatSignUpPolicy(config.signUp),
      ...modelEnvironment(config),
      TOKENS_PER_DAY: config.tokensPerDay?.toString(),
      SITE_TOKENS_PER_DAY: config.siteTokensPerDay.toString(),
      REPLIES_AT_ONCE: config.repliesAtOnce?.toString(),
      IMAGES_PER_DAY: config.imagesPerDay?.toString(),
      STORAGE_GB_PER_USER: config.storageGbPerUser?.toString(),
      ...providerEnvironment(config),
    },
  })
  grantAdmin(admin, { table: data.table, userPool, ses: config.ses })
  return admin
}

function addHealth(scope: Construct, { config }: FunctionInput): ApiFunction {
  return new ApiFunction(scope, 'Health', {
    ...functionDefaults(config),
    entry: 'health/handlers.ts',
    description: 'Reports that the product answers, and its version',
    memoryMb: 256,
    timeout: Duration.seconds(10),
    environment: { PRODUCT_VERSION: productVersion },
  })
}
