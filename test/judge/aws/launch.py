"""Starts ministack with what the product needs and ministack 1.5.33 lacks, each with the reason for which it can go.

The executor of functions is executor.ts (EXECUTOR, its address), which runs Amazon's runtime client: ministack's own worker for Node has no
`awslambda`, so no response streaming (core/lambda_runtime.py). Its internals are replaced here, so the version is pinned.
"""

import contextvars
import hashlib
import http.client
import io
import json
import os
import re
import types
import urllib.request
import zipfile

from ministack import app
from ministack.core import iam_actions, iam_evaluator, lambda_runtime, responses
from ministack.services import apigateway_v1, cloudfront, cloudwatch, cognito, lambda_svc, route53, s3
from ministack.services.cloudformation import engine, provisioners

PORT = int(os.environ["GATEWAY_PORT"])
EXECUTOR = os.environ["EXECUTOR"]
CODE = os.environ["CODE_FOLDER"]


# Goes when ministack's Node worker streams. Functions of the product have source maps on, helper functions of the CDK do not.
def is_product(config):
    variables = (config.get("Environment") or {}).get("Variables") or {}
    return "--enable-source-maps" in variables.get("NODE_OPTIONS", "")


def execute(func, event, _url, request_id):
    config = func.get("config") or func
    code = func["code_zip"]
    file = os.path.join(CODE, hashlib.sha256(code).hexdigest() + ".zip")
    if not os.path.exists(file):
        with open(file + ".part", "wb") as opened:
            opened.write(code)
        os.replace(file + ".part", file)
    body = json.dumps(
        {
            "name": config["FunctionName"],
            "arn": config["FunctionArn"],
            "handler": config["Handler"],
            "memoryMb": config["MemorySize"],
            "timeoutSeconds": int(config.get("Timeout") or 3),
            "variables": (config.get("Environment") or {}).get("Variables") or {},
            "credentials": lambda_runtime.execution_credentials(config),
            "code": file,
            "requestId": request_id,
            "event": event,
        }
    ).encode()
    sent = urllib.request.Request(EXECUTOR, data=body, headers={"content-type": "application/json"})
    with urllib.request.urlopen(sent, timeout=960) as response:
        answer = json.load(response)
    return {"body": answer["body"], **({"error": True} if answer["error"] else {})}


find_proxy = lambda_svc._proxy_url_for
lambda_svc._proxy_url_for = lambda config: EXECUTOR if is_product(config) else find_proxy(config)
lambda_svc._execute_function_proxy = execute

# Goes when ministack puts layers at /opt, and when the output of a child process is no answer of a Python function ("No JSON response from
# worker"): the CDK's function that uploads the site calls the AWS CLI from its layer.
dispatch = lambda_svc._execute_function_dispatch


def dispatch_with_cli(func, config, *args):
    code = func.get("code_zip") or b""
    if config.get("Runtime", "").startswith("python") and not func.get("judged"):
        source, result = zipfile.ZipFile(io.BytesIO(code)), io.BytesIO()
        with zipfile.ZipFile(result, "w") as written:
            for name in source.namelist():
                written.writestr(name, source.read(name).replace(b"/opt/awscli/aws", os.environ["AWS_COMMAND"].encode()))
        func["code_zip"], func["judged"] = result.getvalue(), True
    return dispatch(func, config, *args)


lambda_svc._execute_function_dispatch = dispatch_with_cli

# Goes when ministack accepts URIs of streaming integrations (apigateway_v1.py):
# https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
find_function = apigateway_v1._extract_lambda_ref_from_integration_uri
apigateway_v1._extract_lambda_ref_from_integration_uri = lambda uri: find_function(uri).removesuffix(
    "/response-streaming-invocations"
)

# Goes when a REST API can be the origin of a distribution ("refusing to dial AWS-owned origin host").
forward_elsewhere = cloudfront._forward_to_origin


def forward(origin, method, uri, query, headers, body, https, client_ip="127.0.0.1", forwarded_for=""):
    api = re.match(r"([a-z0-9]+)\.execute-api\.", origin["domain_name"])
    if not api:
        return forward_elsewhere(origin, method, uri, query, headers, body, https, client_ip, forwarded_for)
    sent = cloudfront._origin_request_headers(origin, headers, client_ip, forwarded_for)
    cloudfront._set_header_ci(sent, "Host", "127.0.0.1")
    cloudfront._set_header_ci(sent, "X-Forwarded-Proto", "https")
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=320)
    try:
        path = f"/_aws/execute-api/{api[1]}{uri}" + (f"?{query}" if query else "")
        connection.request(method, path, body=body or None, headers=sent)
        response = connection.getresponse()
        return response.status, response.reason, response.getheaders(), response.read()
    except OSError as error:
        raise cloudfront.OriginUnreachable(str(error)) from error
    finally:
        connection.close()


cloudfront._forward_to_origin = forward

# Goes when fetches of an origin access control count as TLS: every policy of a bucket denies the rest (aws:SecureTransport).
iam_evaluator._request_origin = contextvars.ContextVar("origin", default=("127.0.0.1", True))
pin_origin = app.pin_request_origin
app.pin_request_origin = lambda ip, _secure: pin_origin(ip, True)

# Goes when ministack knows dynamodb:LeadingKeys, on which every statement of the product for the table depends:
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
find_context = iam_actions.dynamodb_service_context
PARTITION = "PK"


def leading_keys(request):
    found = []

    def add(attributes):
        if PARTITION in attributes:
            found.append(next(iter(attributes[PARTITION].values())))

    for item in [request, *(next(iter(each.values())) for each in request.get("TransactItems", []))]:
        add(item.get("Key", {}))
        add(item.get("Item", {}))
        names, values = item.get("ExpressionAttributeNames", {}), item.get("ExpressionAttributeValues", {})
        for name, value in re.findall(r"(#?\w+)\s*=\s*(:\w+)", item.get("KeyConditionExpression", "")):
            add({names.get(name, name): values[value]})
    for table in request.get("RequestItems", {}).values():
        keys = table.get("Keys", []) if isinstance(table, dict) else [next(iter(each.values())) for each in table]
        for each in keys:
            add(each.get("Key", each.get("Item", each)))
    return found


def context(body):
    result = find_context(body)
    try:
        keys = leading_keys(json.loads(body or b"{}"))
    except (ValueError, AttributeError, KeyError):
        keys = []
    return {**result, "dynamodb:LeadingKeys": keys} if keys else result


iam_actions.dynamodb_service_context = context

# Goes when Ref of a secret is its ARN, as in AWS (ministack: its name, which is no resource of a policy):
# https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-secret.html
secret = provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
create, update, delete = secret["create"], secret["update"], secret["delete"]


def find_name(physical_id):
    return physical_id.split(":secret:")[1][:-7] if ":secret:" in physical_id else physical_id


def create_secret(*args, **options):
    _name, attributes = create(*args, **options)
    return attributes["Arn"], attributes


def update_secret(physical_id, *args, **options):
    result = update(find_name(physical_id), *args, **options)
    return (physical_id, *result[1:]) if isinstance(result, tuple) else result


secret.update(
    create=create_secret,
    update=update_secret,
    delete=lambda physical_id, *args, **options: delete(find_name(physical_id), *args, **options),
)

# Goes when a template's tags of a bucket are stored: the CDK's function that empties a bucket at destroy does so only with its tag.
bucket = provisioners._RESOURCE_HANDLERS["AWS::S3::Bucket"]
create_bucket = bucket["create"]


def create_tagged_bucket(logical_id, props, stack_name):
    name, attributes = create_bucket(logical_id, props, stack_name)
    s3._bucket_tags[name] = {tag["Key"]: tag["Value"] for tag in props.get("Tags", [])}
    return name, attributes


bucket["create"] = create_tagged_bucket

# Goes when ConfirmSignUp verifies the address that got the code, and calls the trigger after it:
# https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-post-confirmation.html
confirm = cognito._confirm_sign_up


def confirm_sign_up(data):
    response = confirm(data)
    if response[0] != 200:
        return response
    pool, pool_id = cognito._pool_for_client(data["ClientId"])
    user, _error = cognito._resolve_user(pool, data["Username"])
    attributes = {**cognito._attr_list_to_dict(user["Attributes"]), "email_verified": "true"}
    user["Attributes"] = cognito._dict_to_attr_list(attributes)
    event = cognito._build_presignup_event(
        pool_id=pool_id,
        client_id=data["ClientId"],
        username=user["Username"],
        user_attrs=attributes,
        trigger_source="PostConfirmation_ConfirmSignUp",
    )
    event["request"]["clientMetadata"] = data.get("ClientMetadata") or {}
    record, config, _name = lambda_svc._get_func_record_for_ref(pool["LambdaConfig"]["PostConfirmation"])
    result = lambda_svc._execute_function_with_config_scope(lambda_svc._execution_record_for_config(record, config), event)
    if result.get("error"):
        return responses.error_response_json("UserLambdaValidationException", str(result["body"]), 400)
    return response


cognito._confirm_sign_up = confirm_sign_up

# Goes when Fn::GetStackOutput reads stacks of the Region that it names:
# https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getstackoutput.html
resolve = engine._resolve_refs


def resolve_across_regions(value, *args):
    spec = value.get("Fn::GetStackOutput") if isinstance(value, dict) else None
    if not isinstance(spec, dict) or "Region" not in spec:
        return resolve(value, *args)
    with responses.request_scope(responses.get_account_id(), spec["Region"]):
        return resolve(value, *args)


engine._resolve_refs = resolve_across_regions

# Goes when an alarm reads the metric with its own dimensions (ministack: with any).
evaluate_alarm = cloudwatch._evaluate_alarm


def evaluate_own(alarm):
    own = cloudwatch._dims_key(cloudwatch._dims_from_list(alarm.get("Dimensions") or []))
    metrics = {key: points for key, points in cloudwatch._metrics.items() if key[2] == own}
    types.FunctionType(evaluate_alarm.__code__, {**vars(cloudwatch), "_metrics": metrics})(alarm)


cloudwatch._evaluate_alarm = evaluate_own

# What an operator has: the zone of configurations.ts.
ZONE, DOMAIN = os.environ["HOSTED_ZONE"].split("=")


def add_zone():
    zone = {"id": ZONE, "name": DOMAIN + ".", "caller_reference": "judge", "comment": "", "private": False, "vpcs": []}
    with responses.request_scope(os.environ["MINISTACK_ACCOUNT_ID"], "us-east-1"):
        route53._zones[ZONE] = zone
        route53._records[ZONE] = route53._default_records(DOMAIN + ".")


add_zone()

# No bridge: one line for each denial, which the judge counts.
enforce = iam_evaluator.enforce


def enforce_and_tell(*args, **options):
    result = enforce(*args, **options)
    decision = getattr(result, "decision", "Allow" if result is None else str(result))
    if decision != "Allow":
        who = str(getattr(result, "principal_arn", "")).rsplit("/", 1)[-1]
        print("DENIED", json.dumps({"who": who, "what": str(args[1:]) + str(options)})[:600], flush=True)
    return result


iam_evaluator.enforce = enforce_and_tell

app.main()
