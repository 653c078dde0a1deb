import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import type { Construct } from 'constructs'

/** Requests of one address in five minutes: a busy office behind one address stays far below it. */
const requestsPerAddress = 3_000

/**
 * Rules of AWS's groups that only count
 * (https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html). What people say to the assistant
 * is text of any kind: code with tags, paths, log lines with attacks in them, addresses of servers, up to 100,000 characters. The
 * functions check bodies themselves, and the site renders text as text, so no rule may refuse a body for what it says or how long
 * it is. Files go straight to the bucket and never pass here.
 */
const counted = {
  AWSManagedRulesCommonRuleSet: [
    'SizeRestrictions_BODY',
    'CrossSiteScripting_BODY',
    'EC2MetaDataSSRF_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
    // providers send people back with codes as long as they like; this rule ends at 2,048 bytes
    'SizeRestrictions_QUERYSTRING',
    // authorization servers read oauth-client.json, and need not say who they are
    'NoUserAgent_HEADER',
  ],
  AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
  AWSManagedRulesAmazonIpReputationList: [],
} as const satisfies Record<string, readonly string[]>

/**
 * The web ACL before the distribution: so many requests an address, then AWS's managed rules for known bad addresses, known bad
 * inputs and the common attacks. $5 a month and $1 for each of the four rules, and $0.60 a million requests (AWS WAF's prices).
 * @param name of its metrics
 */
export function webAcl(scope: Construct, name: string): CfnWebACL {
  const visibility = (metric: string): CfnWebACL.VisibilityConfigProperty => ({
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: true,
    metricName: `${name}-${metric}`,
  })
  const managed = (group: keyof typeof counted, priority: number): CfnWebACL.RuleProperty => ({
    name: group,
    priority,
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: group,
        // AWS WAF wants at least one override where there are any
        ...(counted[group].length > 0 && {
          ruleActionOverrides: counted[group].map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        }),
      },
    },
    overrideAction: { none: {} },
    visibilityConfig: visibility(group),
  })
  return new CfnWebACL(scope, 'WebAcl', {
    scope: 'CLOUDFRONT',
    description: `Before the site of ${name}`,
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
              responseHeaders: [{ name: 'retry-after', value: '60' }],
            },
          },
        },
        visibilityConfig: visibility('RequestsPerAddress'),
      },
      managed('AWSManagedRulesAmazonIpReputationList', 1),
      managed('AWSManagedRulesKnownBadInputsRuleSet', 2),
      managed('AWSManagedRulesCommonRuleSet', 3),
    ],
    customResponseBodies: {
      // the shape of every other refusal
      tooManyRequests: {
        contentType: 'APPLICATION_JSON',
        content: JSON.stringify({
          success: false,
          error: 'Too many requests. Please wait a minute and try again.',
          code: 'too_many_requests',
        }),
      },
    },
    // sampled requests are shown to operators: never a token, never a code of a sign-in
    dataProtectionConfig: {
      dataProtections: [
        { field: { fieldType: 'SINGLE_HEADER', fieldKeys: ['authorization'] }, action: 'SUBSTITUTION' },
        { field: { fieldType: 'QUERY_STRING' }, action: 'SUBSTITUTION' },
      ],
    },
  })
}
