#!/usr/bin/env bash

pytest test --instafail --durations 200 -vv
