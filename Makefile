# Each target is a line or two. Longer ones are scripts in scripts/.
.NOTPARALLEL:
.PHONY: help run dev check test e2e pictures tasks generate bench prove-long

help: ## Shows this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /  make \1	/p' $(MAKEFILE_LIST) | expand -t 18

run: ## Builds the web app and the server, serves the demo on http://localhost:8080 from ./data
	@scripts/check-tools run && scripts/build-web && cargo build --bin berth
	@exec cargo run --quiet --bin berth -- serve --demo --data data

dev: ## Rebuilds the server on change, serves the web app with hot reload on http://localhost:5173
	@scripts/check-tools dev && scripts/install-web web && exec scripts/dev

check: ## Checks formatting, lints, types, generated files, bundle budgets, licenses
	@scripts/check-tools check && scripts/check

test: ## Runs every test: Rust on SQLite and PostgreSQL, web, browser
	@scripts/check-tools test && scripts/install-packages && scripts/with-postgres scripts/test

e2e: ## Runs only the browser tests; ARGS="tests/main-job.spec.ts" runs some of them, ARGS=--full all axe combinations
	@scripts/check-tools test && scripts/install-packages && scripts/build-web && scripts/install-web e2e
	@cargo build --bin berth && cd e2e && $(if $(filter --full,$(ARGS)),BERTH_AXE=full) \
		../scripts/with-postgres npx playwright test $(filter-out --full,$(ARGS))$(if $(filter --full,$(ARGS)), accessibility)

pictures: ## Takes the pictures of docs/pictures again with the browser tests
	@$(MAKE) --no-print-directory e2e ARGS="--config pictures.config.ts"

tasks: ## Counts clicks, keys and seconds of everyday tasks again, in docs/tasks.md
	@$(MAKE) --no-print-directory e2e ARGS="--config tasks.config.ts"

generate: ## Writes web/openapi.json, schema.d.ts and the route tree from their sources
	@scripts/check-tools check && scripts/install-web web && scripts/check-generated --write

bench: ## Compares Berth with its limits and its peers in bench/RESULTS.md; ARGS=--short is a smoke run
	@scripts/check-tools test && scripts/install-packages && scripts/install-web e2e && scripts/bench $(ARGS)

prove-long: ## Runs the long storms, models and kills for hours; ARGS="--only kills --kills 50" runs some of them
	@scripts/check-tools test && scripts/install-packages && scripts/prove --long $(ARGS)
