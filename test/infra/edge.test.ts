import { describe, expect, it } from 'vitest'
import { certificateArn, variants, configurations, ownCertificateWithWaf } from './configurations.ts'
import { synthesise } from './synthesised.ts'

const { domainName, hostedZoneId } = configurations.full
const full = synthesise(configurations.full)

const distribution = (synthesised: typeof full) =>
  synthesised.named('web', 'AWS::CloudFront::Distribution', 'Distribution').Properties[
    'DistributionConfig'
  ] as Record<string, unknown>
const edgeResources = ({ templates }: typeof full) => templates.edge.toJSON()['Resources'] as object

describe('edge stack', () => {
  it.each([{}, variants['a certificate of one’s own'], { domainName, certificateArn, hostedZoneId }])(
    'is absent if nothing in another region is needed: %j',
    (context) => {
      expect(Object.keys(synthesise(context).stacks)).toEqual(['data', 'auth', 'api', 'web'])
    },
  )

  it('is in us-east-1, wherever the others are, and is deployed before the web stack', () => {
    const artifact = full.assembly.getStackByName('juno-live-edge')
    expect(artifact.environment.region).toBe('us-east-1')
    expect(full.assembly.getStackByName('juno-live-web').environment.region).toBe('unknown-region')
    expect(full.dependencies('web')).toContain('juno-live-edge')
    expect(full.dependencies('edge')).toEqual([])
    expect(artifact.tags).toEqual({ brand: 'juno', stage: 'live' })
  })

  it('creates a certificate that is validated in the hosted zone', () => {
    expect(full.only('edge', 'AWS::CertificateManager::Certificate').Properties).toMatchObject({
      DomainName: domainName,
      ValidationMethod: 'DNS',
      DomainValidationOptions: [{ DomainName: domainName, HostedZoneId: hostedZoneId }],
    })
  })

  it('is read by the web stack across regions, by the names of its outputs', () => {
    expect(full.outputs('edge')).toEqual({
      AlarmTopic: 'edge/Alarms',
      CertificateArn: 'edge/Certificate',
      WebAclArn: 'edge/WebAcl.Arn',
    })
    expect(distribution(full)).toMatchObject({
      ViewerCertificate: { AcmCertificateArn: 'juno-live-edge.CertificateArn@us-east-1' },
      WebACLId: 'juno-live-edge.WebAclArn@us-east-1',
    })
  })

  it.each([
    [variants.waf, ['WebAcl']],
    [ownCertificateWithWaf, ['WebAcl']],
    [variants['a certificate that the stack creates'], ['Certificate4E7ABB08']],
  ])('contains what the configuration needs and nothing else: %j', (context, ids) => {
    expect(Object.keys(edgeResources(synthesise(context)))).toEqual(ids)
  })
})

describe('check from outside', () => {
  const checked = synthesise(variants['a check from outside'])

  it('asks the health route by the domain, from as few regions as allowed', () => {
    expect(checked.only('edge', 'AWS::Route53::HealthCheck').Properties['HealthCheckConfig']).toEqual({
      Type: 'HTTPS',
      FullyQualifiedDomainName: domainName,
      Port: 443,
      ResourcePath: '/api/health',
      EnableSNI: true,
      RequestInterval: 30,
      FailureThreshold: 3,
      // at least three: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-route53-healthcheck-healthcheckconfig.html
      Regions: ['us-east-1', 'eu-west-1', 'ap-southeast-1'],
    })
  })

  it('raises its alarm in the same region, also when the check reports nothing, and mails it', () => {
    expect(checked.only('edge', 'AWS::CloudWatch::Alarm').Properties).toMatchObject({
      AlarmName: 'juno-dev-SiteUnreachable',
      Namespace: 'AWS/Route53',
      MetricName: 'HealthCheckStatus',
      Dimensions: [{ Name: 'HealthCheckId', Value: 'edge/OutsideCheck.HealthCheckId' }],
      Statistic: 'Minimum',
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
      AlarmActions: ['edge/Alarms'],
      OKActions: ['edge/Alarms'],
    })
    expect(checked.only('edge', 'AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'team@example.org',
    })
  })
})

describe('WAF', () => {
  const waf = synthesise(variants.waf)
  const acl = waf.only('edge', 'AWS::WAFv2::WebACL').Properties
  const rules = acl['Rules'] as readonly Record<string, unknown>[]
  const visibilityConfig = (metric: string) => ({
    CloudWatchMetricsEnabled: true,
    SampledRequestsEnabled: true,
    MetricName: `juno-dev-${metric}`,
  })
  const managedRules = (Name: string, Priority: number, countOnly: readonly string[]) => ({
    Name,
    Priority,
    Statement: {
      ManagedRuleGroupStatement: {
        Name,
        VendorName: 'AWS',
        ...(countOnly.length > 0 && {
          RuleActionOverrides: countOnly.map((rule) => ({ Name: rule, ActionToUse: { Count: {} } })),
        }),
      },
    },
    OverrideAction: { None: {} },
    VisibilityConfig: visibilityConfig(Name),
  })

  it('protects the distribution, allows what no rule blocks, and has metrics', () => {
    expect(acl).toMatchObject({
      Scope: 'CLOUDFRONT',
      DefaultAction: { Allow: {} },
      VisibilityConfig: visibilityConfig('all'),
    })
    expect(distribution(waf)['WebACLId']).toBe('juno-dev-edge.WebAclArn@us-east-1')
    expect(distribution(synthesise())).not.toHaveProperty('WebACLId')
  })

  it('allows an address 3,000 requests in five minutes, then responds like the product', () => {
    expect(rules[0]).toEqual({
      Name: 'RequestsPerAddress',
      Priority: 0,
      Statement: {
        RateBasedStatement: { Limit: 3_000, EvaluationWindowSec: 300, AggregateKeyType: 'IP' },
      },
      Action: {
        Block: {
          CustomResponse: {
            ResponseCode: 429,
            CustomResponseBodyKey: 'tooManyRequests',
            ResponseHeaders: [{ Name: 'retry-after', Value: '60' }],
          },
        },
      },
      VisibilityConfig: visibilityConfig('RequestsPerAddress'),
    })
    const bodies = acl['CustomResponseBodies'] as Record<string, { Content: string; ContentType: string }>
    expect(bodies['tooManyRequests']?.ContentType).toBe('APPLICATION_JSON')
    expect(JSON.parse(bodies['tooManyRequests']?.Content ?? '')).toEqual({
      success: false,
      error: expect.stringContaining('Too many requests'),
      code: 'too_many_requests',
      params: { seconds: 60 },
    })
  })

  it('applies AWS’s rules; those that users’ words may trip, like all that inspect bodies and searches, count without blocking', () => {
    expect(rules.slice(1)).toEqual([
      managedRules('AWSManagedRulesAmazonIpReputationList', 1, []),
      managedRules('AWSManagedRulesKnownBadInputsRuleSet', 2, [
        'JavaDeserializationRCE_BODY',
        'Log4JRCE_BODY',
        'ReactJSRCE_BODY',
        'JavaDeserializationRCE_QUERYSTRING',
        'Log4JRCE_QUERYSTRING',
      ]),
      managedRules('AWSManagedRulesCommonRuleSet', 3, [
        'SizeRestrictions_BODY',
        'CrossSiteScripting_BODY',
        'EC2MetaDataSSRF_BODY',
        'GenericLFI_BODY',
        'GenericRFI_BODY',
        'SizeRestrictions_QUERYSTRING',
        'RestrictedExtensions_QUERYARGUMENTS',
        'CrossSiteScripting_QUERYARGUMENTS',
        'EC2MetaDataSSRF_QUERYARGUMENTS',
        'GenericLFI_QUERYARGUMENTS',
        'GenericRFI_QUERYARGUMENTS',
        'NoUserAgent_HEADER',
      ]),
    ])
  })

  it('hides tokens and sign-in codes from operators', () => {
    expect(acl['DataProtectionConfig']).toEqual({
      DataProtections: [
        { Field: { FieldType: 'SINGLE_HEADER', FieldKeys: ['authorization'] }, Action: 'SUBSTITUTION' },
        { Field: { FieldType: 'QUERY_STRING' }, Action: 'SUBSTITUTION' },
      ],
    })
  })
})
