# What `make demo` shows: the main job so far, on a sample text, with the embedded model. $1 is the folder of redraft.
set -eu
PATH="$1:$PATH"
TEXT=examples/memo.txt
INSTRUCTION="Cut this below 150 words, keep the third sentence, every sentence under 25 words, never say 'leverage', and make it friendlier."

say() { printf '\n\033[1m$ %s\033[0m\n' "$*" | { if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9]*m//g'; fi; }; }

say "redraft parse \"$INSTRUCTION\""
redraft parse "$INSTRUCTION"

say redraft sentences $TEXT
redraft sentences $TEXT

say "redraft check $TEXT --original $TEXT -i \"…\""
redraft check $TEXT --original $TEXT -i "$INSTRUCTION" || [ $? -eq 1 ]

say "redraft check $TEXT --original $TEXT -i \"Keep sentence 2 and make every sentence shorter than 15 words.\""
redraft check $TEXT --original $TEXT -i "Keep sentence 2 and make every sentence shorter than 15 words." || [ $? -eq 3 ]

say redraft models pull
redraft models pull

say "python examples/edit.py $TEXT \"Make the text more concise\"    # the embedded editor, sentence by sentence"
python examples/edit.py $TEXT "Make the text more concise"

say redraft quality $TEXT
redraft quality $TEXT
