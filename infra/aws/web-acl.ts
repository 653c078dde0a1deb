import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import type { Construct } from 'constructs'
import { sayPlatform } from '#shared/sentences/platform.ts'

/** What blocked requests are told to wait. */
const retrySeconds = 60
const tooManyRequests = sayPlatform('too_many_requests', { seconds: retrySeconds })

/** Requests of one address in five minutes: a busy office behind one address stays far below it. */
const requestsPerAddress = 3_000

/**
 * Rules of AWS's groups that only count
 * (https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html). Users' messages are text of any
 * kind: code with tags, paths, log lines with attacks in them, addresses of servers, up to 100,000 characters. The
 * functions check bodies themselves, and the site renders text as text, so no rule may block a body for its content or
 * length. Queries have what users search for: among the files of a drive that may be `server.log`. Files are uploaded to the bucket
 * directly, without passing here.
 */
const countedRules = {
  AWSManagedRulesCommonRuleSet: [
    'SizeRestrictions_BODY',
    'CrossSiteScripting_BODY',
    'EC2MetaDataSSRF_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
    // providers redirect users back with codes of any length; this rule allows 2,048 bytes
    'SizeRestrictions_QUERYSTRING',
    'RestrictedExtensions_QUERYARGUMENTS',
    'CrossSiteScripting_QUERYARGUMENTS',
    'EC2MetaDataSSRF_QUERYARGUMENTS',
    'GenericLFI_QUERYARGUMENTS',
    'GenericRFI_QUERYARGUMENTS',
    // authorization servers read oauth-client.json, possibly without a User-Agent
    'NoUserAgent_HEADER',
  ],
  AWSManagedRulesKnownBadInputsRuleSet: [
    'JavaDeserializationRCE_BODY',
    'Log4JRCE_BODY',
    'ReactJSRCE_BODY',
    'JavaDeserializationRCE_QUERYSTRING',
    'Log4JRCE_QUERYSTRING',
  ],
  AWSManagedRulesAmazonIpReputationList: [],
} as const satisfies Record<string, readonly string[]>

/**
 * The web ACL of the distribution: a request limit per address, then AWS's managed rules for known bad addresses, known bad
 * inputs and the common attacks. $5 a month and $1 for each of the four rules, and $0.60 a million requests (AWS WAF's prices).
 * @param prefix of the names of its metrics
 */
export function addWebAcl(scope: Construct, prefix: string): CfnWebACL {
  const visibility = (metric: string): CfnWebACL.VisibilityConfigProperty => ({
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: true,
    metricName: `${prefix}-${metric}`,
  })
  const managedRuleGroup = (group: keyof typeof countedRules, priority: number): CfnWebACL.RuleProperty => ({
    name: group,
    priority,
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: group,
        // AWS WAF requires at least one override if there are any
        ...(countedRules[group].length > 0 && {
          ruleActionOverrides: countedRules[group].map((rule) => ({
            name: rule,
            actionToUse: { count: {} },
          })),
        }),
      },
    },
    overrideAction: { none: {} },
    visibilityConfig: visibility(group),
  })
  return new CfnWebACL(scope, 'WebAcl', {
    scope: 'CLOUDFRONT',
    description: `Before the site of ${prefix}`,
    defaultAction: { allow: {} },
    visibilityConfig: visibility('all'),
    rules: [
      {
        name: 'RequestsPerAddress',
        priority: 0,
        statement: {
          rateBasedStatement: {
            limit: requestsPerAddress,
            evaluationWindowSec: 300,
            aggregateKeyType: 'IP',
          },
        },
        action: {
          block: {
            customResponse: {
              responseCode: 429,
              customResponseBodyKey: 'tooManyRequests',
              responseHeaders: [{ name: 'retry-after', value: String(retrySeconds) }],
            },
          },
        },
        visibilityConfig: visibility('RequestsPerAddress'),
      },
      managedRuleGroup('AWSManagedRulesAmazonIpReputationList', 1),
      managedRuleGroup('AWSManagedRulesKnownBadInputsRuleSet', 2),
      managedRuleGroup('AWSManagedRulesCommonRuleSet', 3),
    ],
    customResponseBodies: {
      // the format of all errors
      tooManyRequests: {
        contentType: 'APPLICATION_JSON',
        content: JSON.stringify({
          success: false,
          error: tooManyRequests.text,
          code: tooManyRequests.code,
          params: tooManyRequests.params,
        }),
      },
    },
    // sampled requests are shown to operators: they contain no tokens and no sign-in codes
    dataProtectionConfig: {
      dataProtections: [
        { field: { fieldType: 'SINGLE_HEADER', fieldKeys: ['authorization'] }, action: 'SUBSTITUTION' },
        { field: { fieldType: 'QUERY_STRING' }, action: 'SUBSTITUTION' },
      ],
    },
  })
}
