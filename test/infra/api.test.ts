import { describe, expect, it } from 'vitest'
import { defaultModel } from '#shared/models.ts'
import { apiFunctions, routes, type Route } from '#shared/routes.ts'
import { productVersion } from '../../infra/aws/product-version.ts'
import { otherValues } from './configurations.ts'
import { synthesise, type Synthesised } from './synthesised.ts'

const app = synthesise()

/** Every method of the gateway with its whole path, built from the tree of resources. */
function listMethods(synthesised: Synthesised) {
  const parts = new Map(
    synthesised
      .resources('api', 'AWS::ApiGateway::Resource')
      .map(({ id, Properties }) => [
        `api/${id}`,
        { part: String(Properties['PathPart']), parent: String(Properties['ParentId']) },
      ]),
  )
  const buildPath = (id: string): string => {
    const resource = parts.get(id)
    return resource ? `${buildPath(resource.parent)}/${resource.part}` : ''
  }
  return synthesised.resources('api', 'AWS::ApiGateway::Method').map(({ Properties }) => ({
    method: String(Properties['HttpMethod']),
    path: buildPath(String(Properties['ResourceId'])),
    properties: Properties,
    integration: Properties['Integration'] as Record<string, unknown>,
  }))
}

const sorted = (names: string[]) => names.toSorted()
const functionId = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** Who may call a method, read from its properties only. */
function readAccess({ properties }: { properties: Record<string, unknown> }) {
  const { AuthorizationType, AuthorizerId, AuthorizationScopes } = properties
  if (AuthorizationType === 'NONE') return 'public'
  return AuthorizationType === 'COGNITO_USER_POOLS' &&
    AuthorizerId === 'api/SignedIn' &&
    JSON.stringify(AuthorizationScopes) === '["juno/api"]'
    ? 'user'
    : 'neither'
}

describe('functions', () => {
  it.each([
    ['api', 'Chat', 512, 300],
    ['api', 'Sessions', 512, 29],
    ['api', 'Shared', 512, 29],
    ['api', 'Files', 512, 29],
    ['api', 'Documents', 512, 29],
    // ends before the function that calls it
    ['api', 'DocumentParser', 2048, 600],
    ['api', 'DocumentReader', 256, 630],
    ['api', 'Account', 512, 900],
    ['api', 'Mfa', 1024, 29],
    ['api', 'Health', 256, 10],
    ['api', 'RegistrySync', 512, 900],
    ['api', 'ModelCheck', 256, 29],
    ['api', 'ConnectionRefresh', 512, 900],
    ['api', 'Notifier', 256, 120],
    ['api', 'Integrations', 512, 29],
    ['api', 'Oauth', 512, 29],
    ['api', 'Registry', 512, 29],
    ['api', 'ManualSync', 512, 300],
    ['auth', 'PreSignUp', 1024, 5],
    ['auth', 'PreTokenGeneration', 1024, 5],
    ['auth', 'PostConfirmation', 1024, 5],
    ['auth', 'CustomMessage', 1024, 5],
  ] as const)(
    'INFRA-07 %s/%s runs on Node 24 and arm64 with %i MB for %i s',
    (stack, id, memory, timeout) => {
      const { Properties } = app.named(stack, 'AWS::Lambda::Function', id)
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: memory,
        Timeout: timeout,
        LoggingConfig: { LogFormat: 'JSON', LogGroup: `${stack}/${id}Logs` },
        TracingConfig: { Mode: 'Active' },
      })
      expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions')
      expect(app.named(stack, 'AWS::Logs::LogGroup', `${id}Logs`).Properties['RetentionInDays']).toBe(30)
    },
  )

  it('are one per function in the route table, the daily jobs, and those that read documents, tell users and run schedules, without a route', () => {
    const ids = app.resources('api', 'AWS::Lambda::Function').map(({ id }) => id)
    expect(sorted(ids)).toEqual(
      sorted([
        ...Object.keys(apiFunctions).map(functionId),
        'ConnectionRefresh',
        'DocumentParser',
        'DocumentReader',
        'ModelCheck',
        'Notifier',
        'RegistrySync',
        'ScheduleDispatcher',
        'ScheduleWorker',
      ]),
    )
  })

  it('get every environment variable that they read, and none without a value', () => {
    const variables = (id: string, synthesised = app) =>
      (
        synthesised.named('api', 'AWS::Lambda::Function', id).Properties['Environment'] as {
          Variables: object
        }
      ).Variables
    const issuer = 'https://auth/UserPool.ProviderName'
    const baseVariables = { NODE_OPTIONS: '--enable-source-maps', METRICS_NAMESPACE: 'juno-dev' }
    const userVariables = {
      ...baseVariables,
      TABLE_NAME: 'data/Table',
      TOKEN_ISSUER: issuer,
      JWKS_URI: `${issuer}/.well-known/jwks.json`,
      RATE_LIMIT_FACTOR: '1',
    }
    const fileVariables = { ...userVariables, UPLOADS_BUCKET: 'data/Uploads' }
    // functions that use connections
    const connectionVariables = {
      PRODUCT_VERSION: productVersion,
      SEALING_KEY_SECRET: 'data/SealingKey',
    }
    const reader = { DOCUMENT_READER_FUNCTION: 'api/DocumentReader' }
    expect(variables('Sessions')).toEqual({
      ...fileVariables,
      ...reader,
      USER_POOL_ID: 'auth/UserPool',
      PRODUCT_VERSION: productVersion,
    })
    expect(variables('Documents')).toEqual({
      ...fileVariables,
      ...reader,
      DOCUMENT_PARSER_FUNCTION: 'api/DocumentParser',
    })
    expect(variables('Files')).toEqual({ ...fileVariables, ...reader })
    expect(variables('Shared')).toEqual({
      ...userVariables,
      SIGN_UP: 'closed',
    })
    expect(variables('DocumentReader')).toEqual({
      ...baseVariables,
      TABLE_NAME: 'data/Table',
      UPLOADS_BUCKET: 'data/Uploads',
      DOCUMENT_PARSER_FUNCTION: 'api/DocumentParser',
    })
    expect(variables('DocumentParser')).toEqual({
      ...baseVariables,
      BUCKET_ORIGIN: 'https://data/Uploads.RegionalDomainName',
    })
    expect(variables('Notifier')).toEqual({
      ...baseVariables,
      TABLE_NAME: 'data/Table',
      USER_POOL_ID: 'auth/UserPool',
      BRAND_NAME: 'Juno',
      SEALING_KEY_SECRET: 'data/SealingKey',
    })
    expect(variables('Chat')).toEqual({
      ...fileVariables,
      ...reader,
      DOCUMENT_PARSER_FUNCTION: 'api/DocumentParser',
      NOTIFIER_FUNCTION: 'api/Notifier',
      ASSISTANT_NAME: 'Juno',
      OPENAI_MODEL: 'gpt-6.1-terra',
      MODELS: JSON.stringify([defaultModel]),
      OPENAI_IMAGE_MODEL: 'gpt-image-2.6-flare',
      SCHEDULE_SPREAD_MINUTES: '5',
      CONVERSATION_TITLES: 'on',
      SITE_TOKENS_PER_DAY: '50000000',
      MODEL_KEY_SECRET: 'juno-dev-data.ModelKeySecret',
      ...connectionVariables,
    })
    expect(variables('ModelCheck')).toEqual({
      ...baseVariables,
      MODELS: JSON.stringify([defaultModel]),
      OPENAI_IMAGE_MODEL: 'gpt-image-2.6-flare',
      MODEL_KEY_SECRET: 'juno-dev-data.ModelKeySecret',
    })
    expect(variables('ConnectionRefresh')).toEqual({
      ...baseVariables,
      TABLE_NAME: 'data/Table',
      ...connectionVariables,
    })
    expect(variables('Tools')).toEqual({
      ...fileVariables,
      ...connectionVariables,
      SCHEDULE_QUEUE_URL: 'api/ScheduledRuns',
      SCHEDULE_SPREAD_MINUTES: '5',
      OPENAI_MODEL: expect.any(String) as string,
      MODELS: expect.any(String) as string,
    })
    const connectingVariables = {
      ...userVariables,
      VAULT_PREFIX: 'juno-dev/vault',
      ...connectionVariables,
    }
    expect(variables('Integrations')).toEqual(connectingVariables)
    expect(variables('Oauth')).toEqual({ ...connectingVariables, BRAND_NAME: 'Juno' })
    expect(variables('Registry')).toEqual(userVariables)
    expect(variables('ManualSync')).toEqual(userVariables)
    expect(variables('Account')).toEqual({
      ...fileVariables,
      ASSISTANT_NAME: 'Juno',
      USER_POOL_ID: 'auth/UserPool',
      IDENTITY_PROVIDERS: '[]',
      RECOVERY_DAYS: '35',
      SCHEDULE_SPREAD_MINUTES: '5',
      ...connectionVariables,
    })
    expect(variables('Mfa')).toEqual({
      ...userVariables,
      BRAND_NAME: 'Juno',
      SEALING_KEY_SECRET: 'data/SealingKey',
      USER_POOL_ID: 'auth/UserPool',
    })
    expect(variables('Health')).toEqual({
      ...baseVariables,
      PRODUCT_VERSION: productVersion,
    })
    const withOtherValues = synthesise(otherValues)
    for (const id of ['Chat', 'Integrations', 'Tools'])
      expect(variables(id, withOtherValues)).toMatchObject({ MCP_APPS: 'off' })
    for (const id of ['Sessions', 'Shared'])
      expect(variables(id, withOtherValues)).toMatchObject({ SHARING: 'off' })
    for (const id of ['Files', 'Sessions'])
      expect(variables(id, withOtherValues)).toMatchObject({ STORAGE_GB_PER_USER: '0.5' })
    expect(variables('Chat', withOtherValues)).toMatchObject({
      IMAGES_PER_DAY: '0',
      SITE_TOKENS_PER_DAY: '1000',
      STORAGE_GB_PER_USER: '0.5',
      ASSISTANT_NAME: 'Ada',
      OPENAI_BASE_URL: 'https://models.example.org/v1',
      OPENAI_MODEL: 'small',
      MODELS: '[{"id":"small"}]',
      MODEL_SILENCE_SECONDS: '90',
      RATE_LIMIT_FACTOR: '2.5',
    })
  })

  it('keep their logs for the time in the context, in every stack', () => {
    const withOtherValues = synthesise(otherValues)
    const groups = (['auth', 'api', 'web'] as const).flatMap((stack) =>
      withOtherValues.resources(stack, 'AWS::Logs::LogGroup'),
    )
    expect(groups.length).toBeGreaterThanOrEqual(8)
    expect(groups.filter(({ Properties }) => Properties['RetentionInDays'] !== 7)).toEqual([])
  })
})

describe('routes', () => {
  const routeList = Object.values<Route>(routes)

  it('INFRA-07 are on the gateway exactly as the route table lists them', () => {
    const gatewayRoutes = listMethods(app).map(({ method, path }) => `${method} ${path}`)
    expect(sorted(gatewayRoutes)).toEqual(sorted(routeList.map(({ method, path }) => `${method} ${path}`)))
  })

  it('INFRA-07 require an access token, except public ones', () => {
    const found = listMethods(app).map((method) => [`${method.method} ${method.path}`, readAccess(method)])
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(
        routeList.map(({ method, path, access: rule }) => [
          `${method} ${path}`,
          // an optional token is checked by the handler
          ['user', 'admin'].includes(rule) ? 'user' : 'public',
        ]),
      ),
    )
    expect(Object.fromEntries(found.filter(([, rule]) => rule === 'public'))).toEqual({
      'GET /api/health': 'public',
      'GET /api/site': 'public',
      'POST /api/shared-conversation': 'public',
      'POST /functions/v1/verify-2fa': 'public',
    })
    // control: the check detects an open method, and one that accepts an ID token
    expect(readAccess({ properties: { AuthorizationType: 'NONE' } })).toBe('public')
    expect(
      readAccess({ properties: { AuthorizationType: 'COGNITO_USER_POOLS', AuthorizerId: 'api/SignedIn' } }),
    ).toBe('neither')
  })

  it('INFRA-02 the authorizer uses the product’s own pool', () => {
    expect(app.only('api', 'AWS::ApiGateway::Authorizer').Properties).toMatchObject({
      Type: 'COGNITO_USER_POOLS',
      ProviderARNs: ['auth/UserPool.Arn'],
      IdentitySource: 'method.request.header.Authorization',
    })
  })

  it('INFRA-08 streaming functions use response streaming for up to 15 minutes, the others are buffered', () => {
    const found = listMethods(app).map(({ method, path, integration }) => [`${method} ${path}`, integration])
    const expected = routeList.map(({ method, path, functionName }) => {
      const arn = `api/${functionId(functionName)}.Arn`
      const proxy = { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST' }
      const uri = (version: string, call: string) =>
        `arn:<Partition>:apigateway:<Region>:lambda:path/${version}/functions/${arn}/${call}`
      return [
        `${method} ${path}`,
        apiFunctions[functionName].streaming
          ? {
              ...proxy,
              ResponseTransferMode: 'STREAM',
              TimeoutInMillis: 900_000,
              Uri: uri('2021-11-15', 'response-streaming-invocations'),
            }
          : { ...proxy, TimeoutInMillis: 29_000, Uri: uri('2015-03-31', 'invocations') },
      ]
    })
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
    const streamedMethods = listMethods(app).filter(
      ({ integration }) => integration['ResponseTransferMode'] === 'STREAM',
    )
    expect(streamedMethods.map(({ path }) => path)).toContain('/functions/v1/chat-openai')
  })

  it('only this gateway may call the functions that have routes, by one permission each', () => {
    const permissions = app.resources('api', 'AWS::Lambda::Permission').map(({ Properties }) => Properties)
    const names = [...new Set(routeList.map(({ functionName }) => functionName))]
    expect(permissions).toHaveLength(names.length)
    for (const name of names)
      expect(permissions).toContainEqual({
        Action: 'lambda:InvokeFunction',
        FunctionName: `api/${functionId(name)}.Arn`,
        Principal: 'apigateway.amazonaws.com',
        SourceArn: 'arn:<Partition>:execute-api:<Region>:<AccountId>:api/Api/*/*/*',
      })
  })
})

describe('gateway', () => {
  it('INFRA-08 is regional, because an edge-optimised one closes idle streams', () => {
    expect(app.only('api', 'AWS::ApiGateway::RestApi').Properties['EndpointConfiguration']).toEqual({
      Types: ['REGIONAL'],
    })
  })

  it('throttles, and logs each request without ids of users or conversations', () => {
    const { Properties } = app.only('api', 'AWS::ApiGateway::Stage')
    const throttledRoutes = [
      ['/functions/v1/verify-2fa', 'POST', 5, 10],
      ['/api/health', 'GET', 10, 20],
      ['/api/shared-conversation', 'POST', 50, 100],
      ['/api/site', 'GET', 50, 100],
    ] as const
    expect(Properties['MethodSettings']).toEqual([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        DataTraceEnabled: false,
        ThrottlingBurstLimit: 400,
        ThrottlingRateLimit: 200,
      },
      ...throttledRoutes.map(([path, method, rate, burst]) => ({
        HttpMethod: method,
        ResourcePath: `/${path.replaceAll('/', '~1')}`,
        DataTraceEnabled: false,
        ThrottlingBurstLimit: burst,
        ThrottlingRateLimit: rate,
      })),
    ])
    // it covers every route without a token
    const publicRoutes = Object.values(routes as Record<string, Route>).filter(
      ({ access }) => !['user', 'admin'].includes(access),
    )
    expect(throttledRoutes.map(([path, method]) => `${method} ${path}`).toSorted()).toEqual(
      publicRoutes.map(({ path, method }) => `${method} ${path}`).toSorted(),
    )
    const { DestinationArn, Format } = Properties['AccessLogSetting'] as {
      DestinationArn: string
      Format: string
    }
    expect(DestinationArn).toBe('arn:<Partition>:logs:<Region>:<AccountId>:log-group:api/AccessLogs')
    expect(JSON.parse(Format)).toEqual({
      requestId: '$context.requestId',
      time: '$context.requestTime',
      method: '$context.httpMethod',
      route: '$context.resourcePath',
      status: '$context.status',
      responseType: '$context.error.responseType',
      latencyMs: '$context.responseLatency',
      bytes: '$context.responseLength',
    })
  })

  const responses = Object.fromEntries(
    app.resources('api', 'AWS::ApiGateway::GatewayResponse').map(({ Properties }) => [
      String(Properties['ResponseType']),
      {
        status: Properties['StatusCode'],
        headers: Properties['ResponseParameters'] as Record<string, string>,
        body: JSON.parse(
          (Properties['ResponseTemplates'] as Record<string, string>)['application/json'] ?? '',
        ) as unknown,
      },
    ]),
  )

  it.each([
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'not_found'],
    ['INVALID_SIGNATURE', '404', 'not_found'],
    ['RESOURCE_NOT_FOUND', '404', 'not_found'],
    ['UNAUTHORIZED', '401', 'not_signed_in'],
    ['EXPIRED_TOKEN', '401', 'not_signed_in'],
    ['ACCESS_DENIED', '403', 'forbidden'],
    ['REQUEST_TOO_LARGE', '413', 'body_too_large'],
    ['THROTTLED', '429', 'too_many_requests'],
    ['INTEGRATION_FAILURE', '502', 'internal_error'],
    ['INTEGRATION_TIMEOUT', '504', 'timeout'],
    ['DEFAULT_4XX', undefined, 'request_refused'],
    ['DEFAULT_5XX', undefined, 'internal_error'],
  ])('DEC-106 returns %s in the product’s own format, with status %s', (type, status, code) => {
    expect(responses[type]).toMatchObject({
      status,
      body: {
        success: false,
        // INT-41 has this sentence without a full stop
        error: expect.stringMatching(/^User not authenticated$|^[A-Z].*\.$/),
        code,
        requestId: '$context.requestId',
      },
    })
    expect(responses[type]?.headers).toMatchObject({ 'gatewayresponse.header.Cache-Control': "'no-store'" })
  })

  it('says when to retry, and how to sign in', () => {
    expect(responses['THROTTLED']?.headers['gatewayresponse.header.Retry-After']).toBe("'5'")
    expect(responses['UNAUTHORIZED']?.headers['gatewayresponse.header.WWW-Authenticate']).toBe("'Bearer'")
  })
})
