# Each target is a line or two; what is longer is a script with a name in scripts/.
.NOTPARALLEL:
.PHONY: help run dev check test e2e pictures generate bench prove-long

help: ## Shows this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /  make \1	/p' $(MAKEFILE_LIST) | expand -t 18

run: ## Builds the web app and the server, serves the demo on http://localhost:8080 from ./data
	@scripts/check-tools run && scripts/build-web && cargo build --bin berth
	@exec cargo run --quiet --bin berth -- serve --demo --data data

dev: ## Server rebuilt on change, web app with hot reload on http://localhost:5173
	@scripts/check-tools dev && scripts/install-web web && exec scripts/dev

check: ## Formats, lints, types, generated files, bundle budgets, licences
	@scripts/check-tools check && scripts/check

test: ## Every test: Rust on SQLite and PostgreSQL, web, browser
	@scripts/check-tools test && scripts/install-packages && scripts/with-postgres scripts/test

e2e: ## The browser tests alone; ARGS="tests/main-job.spec.ts" runs some of them, ARGS=--full every look of axe
	@scripts/check-tools test && scripts/install-packages && scripts/build-web && scripts/install-web e2e
	@cargo build --bin berth && cd e2e && $(if $(filter --full,$(ARGS)),BERTH_AXE=full) \
		../scripts/with-postgres npx playwright test $(filter-out --full,$(ARGS))$(if $(filter --full,$(ARGS)), accessibility)

pictures: ## The pictures of docs/pictures, made anew by the browser tests
	@$(MAKE) --no-print-directory e2e ARGS="--config pictures.config.ts"

generate: ## Writes web/openapi.json, schema.d.ts and the route tree from their sources
	@scripts/check-tools check && scripts/install-web web && scripts/check-generated --write

bench: ## Berth beside its limits and its peers, written to bench/RESULTS.md; ARGS=--short is a smoke run
	@scripts/check-tools test && scripts/install-packages && scripts/install-web e2e && scripts/bench $(ARGS)

prove-long: ## The long storms, models and kills; hours; ARGS="--only kills --kills 50" runs some of them
	@scripts/check-tools test && scripts/install-packages && scripts/prove --long $(ARGS)
