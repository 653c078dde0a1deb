"""llama.cpp's server (of xllamacpp) with a model of a few kilobytes that says what it is told.

python llama_server.py FILE PORT ANSWERS, with ANSWERS as JSON: a list of [words, answer, answer after results of tools]. Each answer is one
token. The chat template ends a prompt with a token for the answer to the last message; that token leads to the answer, and the answer to
the end. The template is of a family that llama.cpp reads calls of tools from, so its grammars are those of real models.
"""

import json
import sys
import time

import gguf
import numpy
import xllamacpp

path, port, answers = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])

width = 64
normal, unknown, control, user_defined, byte = 1, 2, 3, 4, 6
tokens = [("<unk>", unknown), ("<s>", control), ("</s>", control)]
tokens += [(f"<0x{number:02X}>", byte) for number in range(256)]
end = 2
followers = []
choices = ""
for place, (words, answer, after_results) in enumerate(answers):
    marks = [f"<|answer {place}|>", f"<|after {place}|>"]
    for mark, text in zip(marks, [answer, after_results]):
        # no two tokens may have one text
        if (text, normal) not in tokens:
            followers.append((len(tokens), end))
            tokens.append((text, normal))
        followers.append((len(tokens), tokens.index((text, normal))))
        tokens.append((mark, user_defined))
    choices += (
        "{%- if '" + words + "' in last.text %}"
        "{%- if messages[-1].role == 'tool' %}" + marks[1] + "{%- else %}" + marks[0] + "{%- endif %}{%- endif %}"
    )

template = (
    "{%- if tools %}<|im_start|>system\n# Tools\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>"
    "{%- for tool in tools %}\n{{ tool | tojson }}{%- endfor %}\n</tools>\n\nFor each function call, return a json object with function "
    "name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n"
    '{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call><|im_end|>\n{% endif %}'
    "{%- set last = namespace(text='') %}"
    "{%- for message in messages %}{%- if message.role == 'user' %}{%- set last.text = message.content %}{%- endif %}"
    "{%- if message.role == 'user' or message.role == 'system' %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% elif message.role == 'assistant' %}<|im_start|>assistant\n{%- if message.content %}\n{{ message.content }}{%- endif %}"
    "{%- for tool_call in message.tool_calls %}{%- if tool_call.function %}{%- set tool_call = tool_call.function %}{%- endif %}"
    '\n<tool_call>\n{"name": "{{ tool_call.name }}", "arguments": {{ tool_call.arguments | tojson }}}\n</tool_call>{%- endfor %}<|im_end|>\n'
    "{% elif message.role == 'tool' %}<|im_start|>user\n<tool_response>\n{{ message.content }}\n</tool_response><|im_end|>\n"
    "{% endif %}{%- endfor %}"
    "{%- if add_generation_prompt %}<|im_start|>assistant\n" + choices + "{% endif %}"
)

writer = gguf.GGUFWriter(path, "llama")
writer.add_context_length(131072)
writer.add_embedding_length(width)
writer.add_block_count(1)
writer.add_feed_forward_length(width)
writer.add_head_count(1)
writer.add_head_count_kv(1)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_rope_dimension_count(width)
writer.add_vocab_size(len(tokens))
writer.add_file_type(0)
writer.add_tokenizer_model("llama")
writer.add_token_list([text.encode() for text, _ in tokens])
writer.add_token_scores([0.0] * len(tokens))
writer.add_token_types([kind for _, kind in tokens])
writer.add_bos_token_id(1)
writer.add_eos_token_id(end)
writer.add_unk_token_id(0)
writer.add_chat_template(template)

embedding = numpy.random.default_rng(0).standard_normal((len(tokens), width)).astype(numpy.float32)
output = numpy.zeros((len(tokens), width), numpy.float32)
for token, following in followers:
    output[following] += embedding[token]
ones = numpy.ones(width, numpy.float32)
nothing = numpy.zeros((width, width), numpy.float32)
writer.add_tensor("token_embd.weight", embedding)
writer.add_tensor("output_norm.weight", ones)
writer.add_tensor("output.weight", output)
for name in ["attn_norm", "ffn_norm"]:
    writer.add_tensor(f"blk.0.{name}.weight", ones)
for name in ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"]:
    writer.add_tensor(f"blk.0.{name}.weight", nothing)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()

params = xllamacpp.CommonParams()
params.model.path = path
params.n_ctx = 131072
params.n_predict = 40
params.port = port
if hasattr(params, "hostnames"):
    params.hostnames = ["127.0.0.1"]
else:
    params.hostname = "127.0.0.1"
params.use_jinja = True
params.n_parallel = 1
params.warmup = False
server = xllamacpp.Server(params)
while True:
    time.sleep(60)
